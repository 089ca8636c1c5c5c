/** What is said of an upload that cannot be taken. */
export const uploadTexts = {
  noForm: "Please send the file as multipart/form-data",
  noFile: "Please select a plugin file",
  onlyZip: "Only .zip files are accepted",
  oneFile: "Please upload one file at a time",
  tooLarge: "The file is larger than 20 MB",
} as const;

/** What is said of a package, or of a key, that cannot be used; by code. */
export const packageTexts = {
  too_large: "The package is larger than 20 MB",
  not_zip: "This is not a zip file",
  split: "Zip files in several parts are not supported",
  zip64: "Zip files in the zip64 format are not supported",
  empty: "The package is empty",
  too_many_entries: "The package holds more than 2,000 files and folders",
  layout: "The zip file has gaps, overlaps or extra data at its beginning or end",
  encrypted: "Encrypted zip files are not supported",
  unsupported: "The zip file uses a method that is not supported; please use deflate",
  extra_field: "The zip file states a name or size in two ways",
  special_file: "The package holds something that is neither a file nor a folder",
  bad_path: "The package holds a file with a name that is not allowed",
  duplicate: "The package holds two files whose names are the same or differ only in upper and lower case",
  conflict: "The package holds a file and a folder of the same name",
  header_mismatch: "The zip file contradicts itself about one of its files",
  file_too_large: "A file in the package is larger than 20 MB",
  total_too_large: "The files in the package are larger than 60 MB together",
  ratio: "A file in the package has a suspiciously high compression ratio",
  corrupt: "A file in the package is damaged",
  manifest_missing: "There is no plugin.json in the package",
  manifest_unreadable: "plugin.json is not readable JSON",
  manifest_invalid: "plugin.json has errors",
  entry_missing: "A file that plugin.json names is not in the package",
  entry_too_large: "A bundle is larger than 5 MB",
  entry_unreadable: "A bundle is not text in UTF-8",
  key_invalid: "This is not an Ed25519 key: 32 bytes in base64 are expected",
  key_weak: "This key is weak: anyone could sign with it",
  private_key_invalid: "This is not a private Ed25519 key in PEM format",
  unpacked_modified: "A file of the plugin was changed on this server's disk",
} as const;

/** What is said of a package that can be read, and yet may not be installed or started; by code. */
export const trustTexts = {
  modified: "Files of the package differ from what its publisher signed",
  invalid: "The package's signature is not valid",
  revoked: "The package is signed with a revoked key",
  expired: "The package is signed with a key that is not valid at this time",
  not_for_name: "The package is signed with a key that is not allowed to sign plugins of this name",
  unsigned_refused: "Packages without a trusted signature are not allowed on this server",
  native_refused: "The plugin wants to run inside the server, but its signature does not allow it",
  page_refused: "The plugin wants to run in the page itself, which needs a trusted signature",
} as const;
