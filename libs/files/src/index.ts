export {
  readTemplateEntry,
  readTemplateFolder,
  type FileTree,
  type TemplateFolder,
  type TreeEntry,
} from "./folder.ts";
export { keyOfPath, kindOfKey, pathOfKey, TEMPLATE_EXTENSIONS } from "./paths.ts";
export { formatTemplateFile, parseTemplateFile, type TemplateFile } from "./template-file.ts";
export { unifiedDiff } from "./unified-diff.ts";
