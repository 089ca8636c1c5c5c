const text = (type: string) => `${type}; charset=utf-8`;

const types: Record<string, string> = {
  js: text("text/javascript"),
  mjs: text("text/javascript"),
  css: text("text/css"),
  html: text("text/html"),
  txt: text("text/plain"),
  md: text("text/plain"),
  json: "application/json",
  map: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  ico: "image/x-icon",
  woff2: "font/woff2",
  woff: "font/woff",
  ttf: "font/ttf",
  wasm: "application/wasm",
};

/** The media type of a file by the end of its name; bytes of no known kind unless it is listed. */
export const assetType = (path: string): string => {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return Object.hasOwn(types, extension)
    ? (types[extension] ?? "application/octet-stream")
    : "application/octet-stream";
};
