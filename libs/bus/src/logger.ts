type LogMethod = (fields: object, message: string) => void;

/** What is needed of a logger; pino's fits. */
export type Logger = { debug: LogMethod; info: LogMethod; warn: LogMethod; error: LogMethod };

/** Says nothing. */
export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
