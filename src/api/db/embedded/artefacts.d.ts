// Files that are imported `with { type: "file" }`: the import is their path, in a clone and inside the executable.
declare module "*.wasm" {
  const path: string;
  export default path;
}

declare module "*.data" {
  const path: string;
  export default path;
}

declare module "*.tar.gz" {
  const path: string;
  export default path;
}
