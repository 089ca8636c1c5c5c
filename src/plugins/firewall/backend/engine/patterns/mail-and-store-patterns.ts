import type { Pattern } from "../engine-types.ts";
import { matching } from "../matching.ts";

const base = { category: "protocol", paranoia: 1, severity: "critical", view: "plain" } as const;

/** Lines that a mail server, a directory or a store behind the application would take for its own. */
export const mailAndStorePatterns: readonly Pattern[] = [
  {
    ...base,
    id: 7012,
    title: "Header of a mail behind an address",
    needs: ["@"],
    find: matching(
      /^\s{0,8}[\w.+-]{1,64}@[\w.-]{1,128}>?[ \t]{0,4}[\r\n]{1,4}\s{0,4}(?:b?cc|to|from|subject|reply-to|content-type|mime-version|x-[\w-]{1,32})\s{0,4}:/,
    ),
  },
  {
    ...base,
    id: 7013,
    title: "Command for a mail server",
    find: matching(
      /^\s{0,4}(?:(?:ehlo|helo|vrfy|expn)\s{1,4}[\w.@+-]{1,64}\s{0,4}$|(?:mail\s{1,4}from|rcpt\s{1,4}to)\s{0,4}:\s{0,4}<?[\w.+-]{1,64}@|[a-z]\d{2,4}\s{1,4}(?:capability|fetch|login|select|logout|examine|append)\b)|[\r\n]{1,4}\s{0,4}(?:pass\s{1,4}\S|vrfy\s{1,4}\w|data\s{0,4}[\r\n]|b?cc\s{0,4}:\s{0,4}[\w.+-]{1,64}@)|[\r\n]\s{0,4}(?:[a-z]\d{2,4}\s{1,4}(?:capability|fetch|login|select|logout|list|examine|create|delete|append|noop)\b|(?:mail\s{1,4}from|rcpt\s{1,4}to)\s{0,4}:\s{0,4}<?[\w.+-]{1,64}@|\.\s{0,4}[\r\n]{1,4}\s{0,4}(?:quit|mail|data|rset)\b)/,
    ),
  },
  {
    ...base,
    id: 7014,
    title: "Header line behind a short value",
    places: ["path", "query", "header", "cookie"],
    needs: ["\n", "\r"],
    find: matching(
      /^[^\s]{0,80}(?: http\/\d(?:\.\d)?)?[\r\n]{1,4}[ \t]?(?:[a-z]{1,24}(?<![\r\n]e)(?:-[a-z]{2,24}){1,4}|x-[a-z]{1,24}|x|link|server|via|age|etag|vary|expires|origin|allow|warning|upgrade|connection|pragma|status)[ \t]?:[ \t]?\S/,
    ),
  },
  {
    ...base,
    id: 7015,
    title: "Command for a key-value store behind a line break",
    needs: ["\n", "\r"],
    find: matching(
      /[\r\n]\s{0,4}(?:flush(?:all|db|_all)\b|slaveof\s{1,4}\S|replicaof\s{1,4}\S|config\s{1,4}(?:set|get|rewrite)\b|module\s{1,4}load\b|eval\s{1,4}["']|set\s{1,4}\S{1,80}\s{1,4}(?:\d{1,10}\s{1,4}\d{1,10}\s{1,4}\d|\S{1,80}[\r\n]|\S{1,80}$)|\*\d{1,4}[\r\n]{1,2}\$\d{1,6}[\r\n])/,
    ),
  },
];
