/**
 * Whether a text could be an address or a range of them: enough to catch a slip of the fingers. What it really is, the
 * server decides.
 */
export const looksLikeAddress = (text: string): boolean => {
  const [address = "", prefix, ...more] = text.trim().split("/");
  if (more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return false;
  const isV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/.test(address);
  if (isV4) return address.split(".").every((part) => Number(part) < 256) && Number(prefix ?? 0) <= 32;
  return address.includes(":") && URL.canParse(`http://[${address}]/`) && Number(prefix ?? 0) <= 128;
};
