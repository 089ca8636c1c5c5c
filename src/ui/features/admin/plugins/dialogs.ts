/** What opens above the list, and the other tab: one file of code that comes when the first of them is wanted. */
export { EnableSheet } from "./consent/enable-sheet.tsx";
export { ReviewSheet } from "./consent/review-sheet.tsx";
export { DeletePluginDialog } from "./delete-plugin-dialog.tsx";
export { KeysSection } from "./keys/keys-section.tsx";
export { UploadDialog } from "./upload/upload-dialog.tsx";
