/**
 * A value as a part of one of the API's paths, which have one spelling: these characters stand there as they are. Source:
 * RFC 3986 §3.3.
 */
export const pathPart = (value: string): string =>
  encodeURIComponent(value).replace(/%(?:2[46BC]|3[AD]|40)/g, decodeURIComponent);
