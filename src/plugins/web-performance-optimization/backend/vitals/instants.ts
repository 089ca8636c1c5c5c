/** Spans of time by which measurements are kept, all in UTC. */
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** `2026-11-21T13`: the hour of an instant. */
export const hourOf = (ms: number): string => new Date(ms).toISOString().slice(0, 13);

/** `2026-11-21`: the day of an instant. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** When an hour or a day, as named above, begins. */
export const startOf = (name: string): number =>
  Date.parse(name.length > 10 ? `${name}:00:00Z` : `${name}T00:00:00Z`);

/** The beginnings of the spans that lie between two instants, the first of them included. */
export const startsBetween = (from: number, to: number, spanMs: number): number[] => {
  const first = Math.ceil(from / spanMs) * spanMs;
  return Array.from(
    { length: Math.max(0, Math.ceil((to - first) / spanMs)) },
    (_, at) => first + at * spanMs,
  );
};
