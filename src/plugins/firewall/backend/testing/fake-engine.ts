import type { Engine, EngineOptions, Inspection } from "../engine/engine-types.ts";

/** Finds the word `attack` (5 points) and the word `odd` (2 points); `boom` makes it throw. */
export const makeFakeEngine = ({ threshold, switchedOff }: EngineOptions): Engine => ({
  inspect: ({ path, query, headers, body, isHeadKnown }) => {
    const head = [
      ["path", "", path],
      ["query", "q", query],
      ...headers.map(([name, value]) => [name === "cookie" ? "cookie" : "header", name, value] as const),
    ] as const;
    const texts = [
      ...(isHeadKnown ? [] : head),
      ["body", "message", body === null ? "" : new TextDecoder().decode(body)],
    ] as const;
    const hits: Inspection["hits"] = [];
    for (const [place, name, text] of texts) {
      if (text.includes("boom")) throw new Error("the engine broke");
      for (const [id, word, score] of [
        [1, "attack", 5],
        [2, "odd", 2],
      ] as const) {
        const isFound =
          text.includes(word) && !switchedOff.has(id) && !hits.some(({ pattern }) => pattern === id);
        if (!isFound) continue;
        hits.push({
          ...{ pattern: id, title: `Says ${word}`, category: "code-injection", score, place, name },
          excerpt: text.slice(0, 120),
        });
      }
    }
    const score = hits.reduce((sum, hit) => sum + hit.score, 0);
    const obstacle = (body?.length ?? 0) > 64 * 1024 ? "too-large" : null;
    return { score, isAttack: score >= threshold || obstacle !== null, hits, obstacle };
  },
});
