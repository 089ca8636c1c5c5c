import type { Server } from "bun";
import { startingAnswer } from "./starting-answer.ts";

type Answering = (request: Request, server: Server<undefined>) => Response | Promise<Response>;

const patienceMs = 5_000;

/**
 * Has requests wait from now on, and returns what lets them go on to an answer, those that wait and all later ones. A proxy
 * in front sends here whom it kept waiting in the very moment in which the port opens, and would pass a refusal on to all
 * of them. Who has waited for `mostMs` is told that the server starts.
 */
export const holdRequests = (
  listener: Server<undefined>,
  mostMs = patienceMs,
): ((answer: Answering) => void) => {
  const { promise, resolve } = Promise.withResolvers<Answering>();
  const given = () => Promise.race([promise, Bun.sleep(mostMs).then((): Answering => startingAnswer)]);
  listener.reload({ fetch: async (request, server) => (await given())(request, server) });
  return (answer) => {
    resolve(answer);
    listener.reload({ fetch: answer });
  };
};
