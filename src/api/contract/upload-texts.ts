/** What is said of an upload that cannot be taken. */
export const uploadTexts = {
  noForm: "Please send the file as multipart/form-data",
  noFile: "Please select a plugin file",
  onlyZip: "Only .zip files are accepted",
  oneFile: "Please upload one file at a time",
  tooLarge: "The file is larger than 20 MB",
} as const;
