/** What stands at the end of a page's path that is one for all addresses below a folder. */
const anything = "/*";

// What is in no address of a page, such as dots and escapes, is none: files and tricks look like that.
const rest = /^[\w~-]+(?:\/[\w~-]+)*$/;

/** Whether an address is one of those that a page's path ending with `/*` stands for. */
export const isBelowPage = (address: string, page: string): boolean => {
  const folder = page.slice(0, -1);
  return page.endsWith(anything) && address.startsWith(folder) && rest.test(address.slice(folder.length));
};
