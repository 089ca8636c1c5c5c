// A piece has six trigrams: enough to leave few rows over, and a fraction of what a whole e-mail address costs.
const pieceLength = 8;
const leastLength = 5;

/**
 * The part of a text by which an index of trigrams finds it soonest: each common trigram more has to be gone through, and
 * leaves out hardly a row. Which ones are common is seen in `sample`, texts of the table in lower case. A text without a
 * rare word is taken whole.
 */
export const rarePiece = (text: string, sample: string): string => {
  if (text.length <= pieceLength) return text;
  const frequencies = new Map<string, number>();
  const frequencyOf = (trigram: string): number => {
    const known = frequencies.get(trigram) ?? sample.split(trigram).length - 1;
    frequencies.set(trigram, known);
    return known;
  };
  let best = { piece: text, cost: Number.POSITIVE_INFINITY };
  for (const piece of piecesOf(text)) {
    const cost = trigramsOf(piece).reduce((sum, trigram) => sum + frequencyOf(trigram), 0);
    // Of equals the longer leaves fewer rows over.
    if (cost < best.cost || (cost === best.cost && piece.length > best.piece.length)) best = { piece, cost };
  }
  // Where every piece is common, only all of them together leave few rows over.
  return sample.includes(best.piece) ? text : best.piece;
};

const words = /[\p{L}\p{N}]+/gu;

const piecesOf = (text: string): string[] =>
  (text.match(words) ?? [])
    .filter((word) => word.length >= leastLength)
    .flatMap((word) =>
      Array.from({ length: Math.max(1, word.length - pieceLength + 1) }, (_, at) =>
        word.slice(at, at + pieceLength),
      ),
    );

const trigramsOf = (piece: string): string[] =>
  Array.from({ length: piece.length - 2 }, (_, at) => piece.slice(at, at + 3));
