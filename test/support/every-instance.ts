import { eventually } from "./eventually.ts";

/**
 * Asks until each of `count` instances has answered, whichever the bus hands a request to; the last answer of each. What
 * must hold of every answer, `ask` checks.
 */
export async function askEveryInstance<T extends { instance: string | null }>(
  count: number,
  ask: () => Promise<T>,
): Promise<T[]> {
  const answers = new Map<string | null, T>();
  await eventually(`${count} instances answer`, async () => {
    const answer = await ask();
    answers.set(answer.instance, answer);
    return answers.size >= count;
  });
  return [...answers.values()];
}
