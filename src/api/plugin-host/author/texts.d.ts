/** Documents that are imported as texts. */
declare module "*.md" {
  const text: string;
  export default text;
}
