import type { Pattern } from "../engine-types.ts";
import { matching } from "../matching.ts";

const base = { category: "scanner", paranoia: 1, severity: "critical" } as const;

/** Tools that look for weaknesses. */
export const scannerPatterns: readonly Pattern[] = [
  {
    ...base,
    id: 8001,
    title: "Tool that looks for weaknesses",
    places: ["header"],
    view: "plain",
    find: (text, { name }) => (name === "user-agent" ? (tools.exec(text)?.[0] ?? null) : null),
  },
  {
    ...base,
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
  {
    ...base,
    id: 8003,
    title: "Address at which tools wait for what they broke into",
    view: "plain",
    find: matching(
      /(?:^|[^\w-])[\w-]{0,63}\.?\b(?:oast\.(?:pro|live|site|online|fun|me)|interact\.sh|burpcollaborator\.net|oastify\.com|dnslog\.(?:cn|link|pw)|ceye\.io|bxss\.me|requestrepo\.com|canarytokens\.com|xss\.ht|xsshunter\.com|pingb\.in|dnsbin\.\w{2,6}|r87\.me)\b/,
    ),
  },
  {
    ...base,
    id: 8004,
    title: "Page of an application that is not here",
    severity: "medium",
    places: ["path"],
    view: "path",
    find: matching(
      /\/(?:wp-(?:admin|login|includes|content|json)|phpmyadmin|pma|xmlrpc\.php|cgi-bin|boaform|hnap1|solr|struts2?-\w{0,16}|jmx-console|web-console|manager\/html|vendor\/phpunit|_ignition|actuator|jenkins|owa|autodiscover|telescope\/requests|eval-stdin\.php|shell\.php|c99\.php|r57\.php)(?:[/.]|$)/,
    ),
  },
];

const tools =
  /\b(?:sqlmap|sqlninja|bsqlbf|havij|pangolin|absinthe|nikto|nessus|openvas|greenbone|acunetix|wvs|netsparker|invicti|appscan|webinspect|appspider|qualys(?:guard)?|nexpose|rapid7|w3af|wapiti|skipfish|arachni|vega\/|grabber|paros|zaproxy|owasp[ -_]zap|burp ?suite|dirbuster|dirb\b|dirsearch|gobuster|feroxbuster|wfuzz|ffuf|fuzz faster|patator|hydra|medusa|brutus|masscan|zgrab|nmap|nuclei|jaeles|xray\b|whatweb|wpscan|joomscan|droopescan|cmsmap|commix|xsstrike|xsser|dalfox|kxss|nosqlmap|tplmap|sslyze|testssl|metasploit|cobalt ?strike|morfeus|zmeu|jorgee|muieblackcat|dfind|libwww-perl.{0,8}exploit|struts-pwn|springenwerk|golismero|gospider|hakrawler|katana|subfinder|httprobe|cgiscan|n-stealth|whisker|webshag|uniscan|webscarab|websecurify|detectify|intruder\.io|probely|sitelock|fimap|liffy|lfisuite|kadimus|ysoserial|log4j-?scan|censys|l9(?:explore|tcpid)|leakix)/;
