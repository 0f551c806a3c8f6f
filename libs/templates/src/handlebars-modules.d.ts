// The three modules of Handlebars that parse. They are imported one by one, so that neither its compiler, nor its
// runtime, nor anything that touches the file system is ever loaded. Their values are typed where they are used.

declare module "handlebars/dist/cjs/handlebars/compiler/parser.js" {
  /** A generated Jison parser. `new parser.Parser()` is one of its own, sharing only the tables. */
  const parser: { Parser: new () => unknown };
  export default parser;
}

declare module "handlebars/dist/cjs/handlebars/compiler/whitespace-control.js" {
  /** Applies `~` and the rule of standalone lines, in place. */
  const WhitespaceControl: new () => { accept(program: unknown): unknown };
  export default WhitespaceControl;
}

declare module "handlebars/dist/cjs/handlebars/compiler/helpers.js" {
  export const id: unknown;
  export const stripFlags: unknown;
  export const stripComment: unknown;
  export const preparePath: unknown;
  export const prepareMustache: unknown;
  export const prepareRawBlock: unknown;
  export const prepareBlock: (...parts: readonly unknown[]) => unknown;
  export const prepareProgram: unknown;
  export const preparePartialBlock: unknown;
}
