import type { Pattern } from "../engine-types.ts";
import { matching } from "../matching.ts";
import { mailAndStorePatterns } from "./mail-and-store-patterns.ts";

const base = { category: "protocol", paranoia: 1, severity: "critical" } as const;

/** Values that would change the protocol they travel in. */
export const protocolPatterns: readonly Pattern[] = [
  ...mailAndStorePatterns,
  {
    ...base,
    id: 7001,
    title: "Header line in a value",
    places: ["path", "query", "header", "cookie"],
    view: "plain",
    find: matching(
      /(?:[\r\n\u560a\u560d\u010a]|\\r\\n)[ \t>]{0,3}(?:(?:rcpt to|mail from|location|refresh|b?cc|cookie|host|(?:content|set|x|transfer|cache|proxy|access|remote|user|accept|last|www|if|strict|client|forwarded|reply|mime)-[\w-]{1,40})\s?:|http\/\d|(?:get|post|put|head|options|delete|connect|trace|patch)\s+\/)/,
    ),
  },
  {
    ...base,
    id: 7002,
    title: "Response or request within a text",
    view: "plain",
    find: matching(
      /[\r\n]\s{0,8}(?:content-length\s{0,4}:\s{0,4}\d|transfer-encoding\s{0,4}:\s{0,4}\w|set-cookie\s{0,4}:\s{0,4}\S+=|http\/\d(?:\.\d)?\s+\d{3})|\b(?:get|post|put|head|options|delete|connect|trace|patch|propfind|mkcol|copy|move|lock)\s{1,8}(?:\/|\*|[a-z]{2,8}:\/\/)[^\s]{0,512}\s{1,8}http\/\d/,
    ),
  },
  {
    ...base,
    id: 7003,
    title: "Line break where none can be",
    places: ["path"],
    view: "plain",
    find: (text, { raw }) => /[\r\n]/.exec(raw)?.[0] ?? /[\r\n]/.exec(text)?.[0] ?? null,
  },
  {
    ...base,
    id: 7004,
    title: "Line break in the name of a parameter",
    places: ["query"],
    view: "plain",
    find: (text, { name, raw }) =>
      raw.toLowerCase() === name && /[\r\n]/.test(text) ? text.slice(0, 80) : null,
  },
  {
    ...base,
    id: 7005,
    title: "Cookie that is set by a text",
    view: "plain",
    needs: ["cookie"],
    find: matching(
      /\.cookie\b[^\n]{0,80};?\s{0,4}(?:expires|domain|path|max-age)\s{0,8}=|http-equiv\W{0,4}set-cookie/,
    ),
  },
  {
    ...base,
    id: 7006,
    title: "Session that is brought along in an address",
    places: ["query", "path"],
    view: "plain",
    find: (text, { name, place, isFromHere }) => {
      if (isFromHere) return null;
      if (place === "path") return /;\s{0,4}(?:jsessionid|phpsessid)=[\w.-]{4}/.exec(text)?.[0] ?? null;
      return sessionName.test(name) && /^[\w.:%-]{4,512}$/.test(text) ? `${name}=${text.slice(0, 40)}` : null;
    },
  },
  {
    ...base,
    id: 7007,
    title: "Filter of a directory service",
    view: "plain",
    needs: [")"],
    find: matching(
      /^[^()]{0,256}\)\s{0,8}\(\s{0,8}(?:[|&!]|[a-z][\w.;-]{0,40}\s{0,4}(?:[~<>]?=|:=))|\)\s{0,4}\(\s{0,4}[|&!]\s{0,4}\(\s{0,4}[a-z][\w-]{0,40}[~<>]?=|\*\)\)\s{0,4}(?:%00|\0|\()|\(\s{0,4}[|&!]\s{0,4}\(\s{0,4}\w[\w-]{0,40}[~<>]?=[^()]{0,64}\)\s{0,4}[()]|\(!\s{0,4}\([&|]|\)\s{0,4}\(\s{0,4}\(\s{0,4}[|&!]|\([&|!]\s{0,4}\(\s{0,4}[a-z][\w.;-]{0,40}\s{0,4}(?:[~<>]|:[\w.:]{0,64}:)?=(?!=)|\(\w{0,40}(?::[\w.-]{1,64}){1,2}:=|\*\(\)\s{0,4}[|&]|^\s{0,4}\*\){1,4}\s{0,4}(?:%00|\0|\\0|\\x00)?\s{0,4}$|^\s{0,4}\((?:objectclass|cn|uid|sn|mail|samaccountname)[~<>]?=\S{1,64}\)\s{0,4}$|\)\s{0,4}\(\s{0,4}(?:objectclass|cn|uid|sn|mail|userpassword|samaccountname|memberof)[~<>]?=/,
    ),
  },
  {
    ...base,
    id: 7008,
    title: "Query of an XML document",
    view: "plain",
    find: matching(
      /(?:^|['"\]|/(\s])(?:ancestor|descendant|parent|child|following|preceding|self|attribute)(?:-or-self|-sibling)?::(?:\w|\*|node\(|text\()|\b(?:string-length|name|local-name|count|substring|contains|starts-with)\s{0,4}\(\s{0,4}\/{0,2}\*?(?:\/\w|(?<=count\s?\()\/\*|name\(|\/\/|\*\[)|\]\s{0,4}\|\s{0,4}\/\/|\b(?:doc|document|unparsed-text)\s{0,4}\(\s{0,4}(?:concat\s{0,4}\(\s{0,4})?["'](?:https?|ftp|file|\/)|['"]\s{1,4}(?:or|and)\s{1,4}(?:true\(\)|false\(\)|\/{1,2}\w)|\bsystem-property\s{0,4}\(\s{0,4}["']xsl:|\/\/[\w*]{1,32}\[\s{0,4}(?:\d|position\(|@?\w{1,24}\s{0,4}=|text\()/,
    ),
  },
  {
    ...base,
    id: 7009,
    title: "Address that a proxy would be led to",
    view: "plain",
    find: matching(/unix:[^\s|]{0,200}\|(?:https?|fcgi|ajp|uwsgi|h2c?|ws):/),
  },
  {
    ...base,
    id: 7016,
    title: "Second type of content in a header",
    places: ["header"],
    view: "plain",
    needs: ["application/", "text/", "multipart/"],
    find: (text, { name }) =>
      name === "content-type"
        ? (/[;,]\s{0,4}(?:application|text|multipart)\/\w/.exec(text)?.[0] ?? null)
        : null,
  },
  {
    ...base,
    id: 7011,
    title: "Cookie of an older version of HTTP",
    places: ["cookie"],
    view: "plain",
    find: (text, { name }) => (name === "$version" ? `$version=${text.slice(0, 20)}` : null),
  },
  {
    ...base,
    id: 7010,
    title: "Parameter that is cut off",
    severity: "medium",
    places: ["query"],
    view: "plain",
    find: (_text, { raw }) => /^%[0-9a-f]?(?![0-9a-f])\w/i.exec(raw)?.[0] ?? null,
  },
  {
    ...base,
    id: 7101,
    title: "Command of a mail server",
    paranoia: 2,
    view: "plain",
    find: matching(
      /[\r\n]\s{0,4}(?:(?:ehlo|helo)\s{1,4}[\w.-]+|(?:mail\s+from|rcpt\s+to):|(?:retr|top|dele|uidl|apop)\s{1,4}\d|\w{1,6}\s{1,4}(?:login|select|fetch|logout|capability)\b|data\s{0,4}[\r\n]|quit\s{0,4}(?:$|[\r\n]))/,
    ),
  },
];

/** Names of session cookies: a value under one in an address was put there by somebody else. */
const sessionName =
  /^(?:phpsess(?:ion)?(?:id)?|jsessionid|jwsession|jservsession(?:id|root)?|aspsessionid\w{0,16}|asp\.net_sessionid|cfid|cftoken|cfsid|connect\.sid|laravel_session|ci_session|cakephp|zend_session_id|django_session|express\.sid|koa[.:]sess|meteor_login_token|rack\.session|_session_id|session-?id|sess_?id|\w{1,24}[.:_-]sess(?:ion)?(?:[._-]?(?:id|key|hash))?|sess(?:ion)?(?:key|hash)|cookie_?session|ring-session|jwsession|aspsession|sess(?:ion)?_?token|weblogicsession|wordpress_logged_in\w{0,40}|symfony|sid_session|play_session|sails\.sid|fe_typo_user|symfony_session|mojolicious|plack_session|flask_session|frontend_session)$/;
