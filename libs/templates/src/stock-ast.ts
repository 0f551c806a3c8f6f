// The nodes of Handlebars' parser, as far as they are read here. Our own `locInfo` puts offsets into `column`.

export type StockLocation = { start: { column: number }; end: { column: number } };

type Node<Type extends string> = { type: Type; loc: StockLocation };

export type StockPath = Node<"PathExpression"> & { data: boolean; parts: string[]; original: string };
export type StockLiteral =
  | (Node<"StringLiteral"> & { value: string })
  | (Node<"NumberLiteral"> & { value: number })
  | (Node<"BooleanLiteral"> & { value: boolean })
  | Node<"UndefinedLiteral">
  | Node<"NullLiteral">;
export type StockHash = Node<"Hash"> & { pairs: StockPair[] };
type StockPair = Node<"HashPair"> & { key: string; value: StockExpression };
export type StockHead = StockPath | StockLiteral;
export type StockArguments = { params: StockExpression[]; hash: StockHash | undefined };
type StockSubExpression = Node<"SubExpression"> & StockArguments & { path: StockHead };
export type StockExpression = StockPath | StockLiteral | StockSubExpression;

export type StockMustache = Node<"MustacheStatement" | "Decorator"> & StockArguments & { path: StockHead };
export type StockBlock = Node<"BlockStatement" | "DecoratorBlock"> &
  StockArguments & {
    path: StockHead;
    program: StockProgram | undefined;
    inverse: StockProgram | undefined;
  };
export type StockPartial = Node<"PartialStatement"> &
  StockArguments & { name: StockHead | StockSubExpression; indent: string };
type StockPartialBlock = Node<"PartialBlockStatement"> & { program: StockProgram };
type StockContent = Node<"ContentStatement"> & { value: string };
type StockComment = Node<"CommentStatement">;
export type StockStatement =
  StockMustache | StockBlock | StockPartial | StockPartialBlock | StockContent | StockComment;

export type StockProgram = {
  type: "Program";
  body: StockStatement[];
  blockParams?: string[] | undefined;
};

/** What a parse error says: the token met, the names of those expected. */
export type StockParseFault = { token: string | null; expected?: string[] };

export type StockLexer = {
  options: { ranges?: boolean };
  offset: number;
  yylloc: { range?: [number, number] };
  yytext: string;
  match: string;
  _input: string;
  unput(text: string): unknown;
};

export type StockParser = {
  lexer: StockLexer;
  yy: Record<string, unknown>;
  parse(source: string): StockProgram;
};
