/** Names as the API has them, in words: `plugin_hot_reloaded` reads "Plugin hot reloaded"; several stand apart by commas. */
export const inWords = (names: string): string =>
  names
    .split(",")
    .map((name) => {
      const words = name.replaceAll("_", " ").replace(/^api\b/, "API");
      return words.slice(0, 1).toUpperCase() + words.slice(1);
    })
    .join(", ");
