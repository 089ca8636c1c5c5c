import type { Pattern } from "../engine-types.ts";
import { matching } from "../prefilter.ts";

const base = { category: "protocol", paranoia: 1, severity: "critical", view: "plain" } as const;

/** Values that would change the protocol they travel in. */
export const protocolPatterns: readonly Pattern[] = [
  matching(
    { ...base, id: 7001, title: "Header line in a value", places: ["path", "query", "header", "cookie"] },
    /(?:[\r\n\u560a\u560d\u010a]|\\r\\n)[ \t>]{0,3}(?:(?:rcpt to|mail from|location|refresh|b?cc|cookie|host|(?:content|set|x|transfer|cache|proxy|access|remote|user|accept|last|www|if|strict|client|forwarded|reply|mime)-[\w-]{1,40})\s?:|http\/\d|(?:get|post|put|head|options|delete|connect|trace|patch)\s+\/)/,
  ),
  matching(
    { ...base, id: 7002, title: "Response or request within a text" },
    /[\r\n]\s{0,8}(?:content-length\s{0,4}:\s{0,4}\d|transfer-encoding\s{0,4}:\s{0,4}\w|set-cookie\s{0,4}:\s{0,4}\S+=|http\/\d(?:\.\d)?\s+\d{3})|\b(?:get|post|put|head|options|delete|connect|trace|patch|propfind|mkcol|copy|move|lock)\s{1,8}(?:\/|\*|[a-z]{2,8}:\/\/)[^\s]{0,512}\s{1,8}http\/\d/,
  ),
  {
    ...base,
    id: 7003,
    title: "Line break where none can be",
    places: ["path"],
    find: (text, { raw }) => /[\r\n]/.exec(raw)?.[0] ?? /[\r\n]/.exec(text)?.[0] ?? null,
  },
  {
    ...base,
    id: 7004,
    title: "Line break in the name of a parameter",
    places: ["query"],
    find: (text, { name, raw }) =>
      raw.toLowerCase() === name && /[\r\n]/.test(text) ? text.slice(0, 80) : null,
  },
  matching(
    { ...base, id: 7005, title: "Cookie that is set by a text", needs: ["cookie"] },
    /\.cookie\b[^\n]{0,80};?\s{0,4}(?:expires|domain|path|max-age)\s{0,8}=|http-equiv\W{0,4}set-cookie/,
  ),
  {
    ...base,
    id: 7006,
    title: "Session that is brought along in an address",
    places: ["query", "path"],
    find: (text, { name, place, isFromHere }) => {
      if (isFromHere) return null;
      if (place === "path") return /;\s{0,4}(?:jsessionid|phpsessid)=[\w.-]{4}/.exec(text)?.[0] ?? null;
      return sessionName.test(name) && /^[\w.:%-]{4,512}$/.test(text) ? `${name}=${text.slice(0, 40)}` : null;
    },
  },
  matching(
    { ...base, id: 7007, title: "Filter of a directory service", needs: [")"] },
    /^[^()]{0,256}\)\s{0,8}\(\s{0,8}(?:[|&!]|[a-z][\w.;-]{0,40}\s{0,4}(?:[~<>]?=|:=))|\)\s{0,4}\(\s{0,4}[|&!]\s{0,4}\(\s{0,4}[a-z][\w-]{0,40}[~<>]?=|\*\)\)\s{0,4}(?:%00|\0|\()|\(\s{0,4}[|&!]\s{0,4}\(\s{0,4}\w[\w-]{0,40}[~<>]?=[^()]{0,64}\)\s{0,4}[()]|\(!\s{0,4}\([&|]|\)\s{0,4}\(\s{0,4}\(\s{0,4}[|&!]|\([&|!]\s{0,4}\(\s{0,4}[a-z][\w.;-]{0,40}\s{0,4}(?:[~<>]|:[\w.:]{0,64}:)?=(?!=)|\(\w{0,40}(?::[\w.-]{1,64}){1,2}:=|\*\(\)\s{0,4}[|&]|^\s{0,4}\*\){1,4}\s{0,4}(?:%00|\0|\\0|\\x00)?\s{0,4}$|^\s{0,4}\((?:objectclass|cn|uid|sn|mail|samaccountname)[~<>]?=\S{1,64}\)\s{0,4}$|\)\s{0,4}\(\s{0,4}(?:objectclass|cn|uid|sn|mail|userpassword|samaccountname|memberof)[~<>]?=/,
  ),
  matching(
    { ...base, id: 7008, title: "Query of an XML document" },
    /(?:^|['"\]|/(\s])(?:ancestor|descendant|parent|child|following|preceding|self|attribute)(?:-or-self|-sibling)?::(?:\w|\*|node\(|text\()|\b(?:string-length|name|local-name|count|substring|contains|starts-with)\s{0,4}\(\s{0,4}\/{0,2}\*?(?:\/\w|(?<=count\s?\()\/\*|name\(|\/\/|\*\[)|\]\s{0,4}\|\s{0,4}\/\/|\b(?:doc|document|unparsed-text)\s{0,4}\(\s{0,4}(?:concat\s{0,4}\(\s{0,4})?["'](?:https?|ftp|file|\/)|['"]\s{1,4}(?:or|and)\s{1,4}(?:true\(\)|false\(\)|\/{1,2}\w)|\bsystem-property\s{0,4}\(\s{0,4}["']xsl:|\/\/[\w*]{1,32}\[\s{0,4}(?:\d|position\(|@?\w{1,24}\s{0,4}=|text\()/,
  ),
  matching(
    { ...base, id: 7009, title: "Address that a proxy would be led to" },
    /unix:[^\s|]{0,200}\|(?:https?|fcgi|ajp|uwsgi|h2c?|ws):/,
  ),
  {
    ...base,
    id: 7016,
    title: "Second type of content in a header",
    places: ["header"],
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
    find: (text, { name }) => (name === "$version" ? `$version=${text.slice(0, 20)}` : null),
  },
  {
    ...base,
    id: 7010,
    title: "Parameter that is cut off",
    severity: "medium",
    places: ["query"],
    find: (_text, { raw }) => /^%[0-9a-f]?(?![0-9a-f])\w/i.exec(raw)?.[0] ?? null,
  },
  matching(
    { ...base, id: 7101, title: "Command of a mail server", paranoia: 2 },
    /[\r\n]\s{0,4}(?:(?:ehlo|helo)\s{1,4}[\w.-]+|(?:mail\s+from|rcpt\s+to):|(?:retr|top|dele|uidl|apop)\s{1,4}\d|\w{1,6}\s{1,4}(?:login|select|fetch|logout|capability)\b|data\s{0,4}[\r\n]|quit\s{0,4}(?:$|[\r\n]))/,
  ),
  // Lines that a mail server, a directory or a store behind the application would take for its own.
  matching(
    { ...base, id: 7012, title: "Header of a mail behind an address", needs: ["@"] },
    /^\s{0,8}[\w.+-]{1,64}@[\w.-]{1,128}>?[ \t]{0,4}[\r\n]{1,4}\s{0,4}(?:b?cc|to|from|subject|reply-to|content-type|mime-version|x-[\w-]{1,32})\s{0,4}:/,
  ),
  matching(
    { ...base, id: 7013, title: "Command for a mail server" },
    /^\s{0,4}(?:(?:ehlo|helo|vrfy|expn)\s{1,4}[\w.@+-]{1,64}\s{0,4}$|(?:mail\s{1,4}from|rcpt\s{1,4}to)\s{0,4}:\s{0,4}<?[\w.+-]{1,64}@|[a-z]\d{2,4}\s{1,4}(?:capability|fetch|login|select|logout|examine|append)\b)|[\r\n]{1,4}\s{0,4}(?:pass\s{1,4}\S|vrfy\s{1,4}\w|data\s{0,4}[\r\n]|b?cc\s{0,4}:\s{0,4}[\w.+-]{1,64}@)|[\r\n]\s{0,4}(?:[a-z]\d{2,4}\s{1,4}(?:capability|fetch|login|select|logout|list|examine|create|delete|append|noop)\b|(?:mail\s{1,4}from|rcpt\s{1,4}to)\s{0,4}:\s{0,4}<?[\w.+-]{1,64}@|\.\s{0,4}[\r\n]{1,4}\s{0,4}(?:quit|mail|data|rset)\b)/,
  ),
  matching(
    {
      ...base,
      id: 7014,
      title: "Header line behind a short value",
      places: ["path", "query", "header", "cookie"],
    },
    /^[^\s]{0,80}(?: http\/\d(?:\.\d)?)?[\r\n]{1,4}[ \t]?(?:[a-z]{1,24}(?<![\r\n]e)(?:-[a-z]{2,24}){1,4}|x-[a-z]{1,24}|x|link|server|via|age|etag|vary|expires|origin|allow|warning|upgrade|connection|pragma|status)[ \t]?:[ \t]?\S/,
  ),
  matching(
    { ...base, id: 7015, title: "Command for a key-value store behind a line break" },
    /[\r\n]\s{0,4}(?:flush(?:all|db|_all)\b|slaveof\s{1,4}\S|replicaof\s{1,4}\S|config\s{1,4}(?:set|get|rewrite)\b|module\s{1,4}load\b|eval\s{1,4}["']|set\s{1,4}\S{1,80}\s{1,4}(?:\d{1,10}\s{1,4}\d{1,10}\s{1,4}\d|\S{1,80}[\r\n]|\S{1,80}$)|\*\d{1,4}[\r\n]{1,2}\$\d{1,6}[\r\n])/,
  ),
];

/** Names of session cookies: a value under one in an address was put there by somebody else. */
const sessionName =
  /^(?:phpsess(?:ion)?(?:id)?|jsessionid|jwsession|jservsession(?:id|root)?|aspsessionid\w{0,16}|asp\.net_sessionid|cfid|cftoken|cfsid|connect\.sid|laravel_session|ci_session|cakephp|zend_session_id|django_session|express\.sid|koa[.:]sess|meteor_login_token|rack\.session|_session_id|session-?id|sess_?id|\w{1,24}[.:_-]sess(?:ion)?(?:[._-]?(?:id|key|hash))?|sess(?:ion)?(?:key|hash)|cookie_?session|ring-session|jwsession|aspsession|sess(?:ion)?_?token|weblogicsession|wordpress_logged_in\w{0,40}|symfony|sid_session|play_session|sails\.sid|fe_typo_user|symfony_session|mojolicious|plack_session|flask_session|frontend_session)$/;

const scanner = { category: "scanner", paranoia: 1, severity: "critical" } as const;

/** Tools that look for weaknesses. */
export const scannerPatterns: readonly Pattern[] = [
  {
    ...scanner,
    id: 8001,
    title: "Tool that looks for weaknesses",
    places: ["header"],
    view: "plain",
    find: (text, { name }) => (name === "user-agent" ? (tools.exec(text)?.[0] ?? null) : null),
  },
  {
    ...scanner,
    id: 8002,
    title: "Header of a tool that looks for weaknesses",
    places: ["header"],
    view: "plain",
    find: (text, { name }) =>
      /^(?:acunetix-\w{1,24}|x-(?:scan-memo|request-memo|requestmanager-memo|wipp|ratproxy-\w{1,16}|scanner|nessus\w{0,12}|arachni-\w{1,24}|qualys\w{0,12}|sqlmap\w{0,8}))$/.test(
        name,
      )
        ? `${name}: ${text.slice(0, 40)}`
        : null,
  },
  matching(
    { ...scanner, id: 8003, title: "Address at which tools wait for what they broke into", view: "plain" },
    /(?:^|[^\w-])[\w-]{0,63}\.?\b(?:oast\.(?:pro|live|site|online|fun|me)|interact\.sh|burpcollaborator\.net|oastify\.com|dnslog\.(?:cn|link|pw)|ceye\.io|bxss\.me|requestrepo\.com|canarytokens\.com|xss\.ht|xsshunter\.com|pingb\.in|dnsbin\.\w{2,6}|r87\.me)\b/,
  ),
  matching(
    {
      ...scanner,
      id: 8004,
      title: "Page of an application that is not here",
      severity: "medium",
      places: ["path"],
      view: "path",
    },
    /\/(?:wp-(?:admin|login|includes|content|json)|phpmyadmin|pma|xmlrpc\.php|cgi-bin|boaform|hnap1|solr|struts2?-\w{0,16}|jmx-console|web-console|manager\/html|vendor\/phpunit|_ignition|actuator|jenkins|owa|autodiscover|telescope\/requests|eval-stdin\.php|shell\.php|c99\.php|r57\.php)(?:[/.]|$)/,
  ),
];

const tools =
  /\b(?:sqlmap|sqlninja|bsqlbf|havij|pangolin|absinthe|nikto|nessus|openvas|greenbone|acunetix|wvs|netsparker|invicti|appscan|webinspect|appspider|qualys(?:guard)?|nexpose|rapid7|w3af|wapiti|skipfish|arachni|vega\/|grabber|paros|zaproxy|owasp[ -_]zap|burp ?suite|dirbuster|dirb\b|dirsearch|gobuster|feroxbuster|wfuzz|ffuf|fuzz faster|patator|hydra|medusa|brutus|masscan|zgrab|nmap|nuclei|jaeles|xray\b|whatweb|wpscan|joomscan|droopescan|cmsmap|commix|xsstrike|xsser|dalfox|kxss|nosqlmap|tplmap|sslyze|testssl|metasploit|cobalt ?strike|morfeus|zmeu|jorgee|muieblackcat|dfind|libwww-perl.{0,8}exploit|struts-pwn|springenwerk|golismero|gospider|hakrawler|katana|subfinder|httprobe|cgiscan|n-stealth|whisker|webshag|uniscan|webscarab|websecurify|detectify|intruder\.io|probely|sitelock|fimap|liffy|lfisuite|kadimus|ysoserial|log4j-?scan|censys|l9(?:explore|tcpid)|leakix)/;
