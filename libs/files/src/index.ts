export { keyOfPath, kindOfKey, pathOfKey, TEMPLATE_EXTENSIONS } from "./paths.ts";
export { formatTemplateFile, parseTemplateFile, type TemplateFile } from "./template-file.ts";
