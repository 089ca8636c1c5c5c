/** Adds names to the list of headers that an answer depends on. */
export const addVary = (headers: Headers, ...names: string[]): void => {
  const known = (headers.get("vary") ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  if (known.includes("*")) return;
  headers.set("vary", [...new Set([...known, ...names])].join(", "));
};
