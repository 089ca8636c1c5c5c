import type { Pattern } from "../engine-types.ts";
import { matching } from "../matching.ts";

const base = { category: "code-injection", paranoia: 1, severity: "critical" } as const;

/** What Java, its expression languages and its libraries would run. */
export const javaPatterns: readonly Pattern[] = [
  {
    ...base,
    id: 4020,
    title: "Class of Java",
    view: "plain",
    needs: [
      ..."java javax jakarta org com sun ch jdk freemarker bsh groovy weblogic clojure oracle"
        .split(" ")
        .map((name) => `${name}.`),
      "unmarshaller",
      "base64data",
    ],
    find: (text) =>
      /(?:javax?|jakarta|org|com|sun|ch|jdk|freemarker|bsh|groovy|weblogic|clojure|oracle)\.|unmarshaller|base64data/.test(
        text,
      )
        ? (findClass(text) ?? started.exec(text)?.[0] ?? null)
        : null,
  },
  {
    ...base,
    id: 4021,
    title: "Expression that reaches into Java",
    view: "plain",
    find: matching(
      /#(?:_?memberaccess|context|request|response|session|attr|parameters|application|rt|cmd|res|process|ognlutil|container|matt|dm|nike)\s{0,4}(?:=|\[|\.\w)|@[\w.$]{2,80}@\w|\bsystem\.(?:getproperty|getenv|exit|setproperty)\s{0,4}\(|\bthread\.sleep\s{0,4}\(|\bclass['"]?\]?\s{0,4}\[\s{0,4}(?:module|classloader)\]|^\s{0,4}redirect(?:action)?:\s{0,4}(?:https?:|\/)|\bclass['"]?\]?\s{0,4}\[\s{0,4}["'](?:module|classloader|protectiondomain)|\bt\(\s{0,4}(?:java|org|com|javax|string|system)\b|\.?get(?:class|runtime|declared(?:method|field|constructor)s?|method|classloader|systemclassloader|enginebyname|protectiondomain|superclass|servletcontext)\s{0,4}\(|\bclass\.(?:module|classloader|protectiondomain|forname)\b|\bforname\s{0,4}\(\s{0,4}["']|\.newinstance\s{0,4}\(|\bprocess(?:builder|impl)\b|\bruntime\.(?:getruntime|exec)\b|\b(?:scriptenginemanager|defineclass|classpathxmlapplicationcontext|jdbcrowsetimpl|templatesimpl|beanshell|ognlcontext|urlclassloader|redirect:\$?%?\{)|(?:redirect|redirectaction|action|method)(?:action)?:\s{0,4}[$%#]\{/,
    ),
  },
  {
    ...base,
    id: 4022,
    title: "Look-up of a logger",
    view: "plain",
    needs: ["${", "jndi"],
    find: matching(
      /\$\{[^{}\n]{0,24}\$\{|\$\{\s{0,4}(?:jndi|lower|upper|env|sys|date|java|ctx|main|bundle|base64|k8s|docker|web|script|dns|url|file|const|spring|log4j|map|marker|event|sd|jvmrunargs|urldecoder|urlencoder|resourcebundle|localhost|properties|xml)\s{0,4}:|\$\{[\w:.$-]{0,32}::?-[^}\n]{0,32}\}|\bjndi\s{0,4}:\s{0,4}(?:ldaps?|rmi|dns|iiop|nis|nds|corba|https?)\b|\$[{(][^\n]{0,64}j\W{0,16}n\W{0,16}d\W{0,16}i\W{0,16}:/,
    ),
  },
  {
    ...base,
    id: 4023,
    title: "Object of Java, .NET or Python, written out",
    view: "plain",
    find: (_text, { raw }) =>
      /rO0AB[QXNS]|\xac\xed[^a-z]{1,2}(?:sr|ur|t)|aced0005(?:7|5)|AAEAAAD\/{5}|H4sIAAAAAAA[\w+/]{2}J[\w+/]{4}|\bc(?:os|nt|posix|builtins|__builtin__|subprocess)(?:\n|\\n)\w{2,12}?(?:\n|\\n)|gASV[\w+/]{2}AA|\/wEy[\w+/]{16}/i.exec(
        raw,
      )?.[0] ?? null,
  },
  {
    ...base,
    id: 4024,
    title: "Part of a chain of Java objects",
    view: "plain",
    find: matching(
      /\b(?:clone|constant|chained|factory|instantiate|invoker|map|closure|predicate|switch|string|lazymap|exception|nop|transformed)transformer\b|\b(?:for|while|if|switch|transformer|chained)closure\b|\b(?:instantiate|prototypeclone|prototypeserialization|prototype|constant|reflection)factory\b|\bysoserial\b|\bcommonscollections\d|\bcommonsbeanutils\d/,
    ),
  },
];

const className =
  /(?:^|[^\w.])((?:java|javax|jakarta)\.(?:io|lang|util|net|nio|rmi|naming|script|sql|beans|security|management|el|servlet|faces|swing|awt|xml|imageio|tools|text|crypto|time|math)(?:\.[\w.$]{0,120})?|org\.(?:apache|omg|springframework|codehaus|yaml\.snakeyaml|mozilla\.javascript|hibernate|jboss|eclipse|python|xml)\.[\w.$]{1,120}|ch\.qos\.logback\.[\w.$]{1,120}|jdk\.(?:nashorn|internal)\.[\w.$]{1,120}|com\.(?:sun|thoughtworks|opensymphony|mchange|caucho|alibaba|fasterxml|bea|ibm|oracle|rometools|zaxxer)\.[\w.$]{1,120}|sun\.(?:misc|reflect|rmi)\.[\w.$]{1,80}|freemarker\.template\.[\w.$]{1,80}|bsh\.interpreter|weblogic\.\w{2,24}\.[\w.$]{1,80}|oracle\.(?:jdbc|toplink|sql)\.[\w.$]{1,80}|clojure\.(?:core|lang)[\w.$]{1,80}|groovy\.(?:lang|util)\.[\w.$]{1,80})/g;

/** What starts programs, near to what reads objects or behind any path of Java's packages. */
const started =
  /\b(?:unmarshaller|base64data)\b[^\n]{0,400}?\b(?:runtime|processbuilder)\b|\bjava\.(?:\w{1,24}\.){0,4}(?:runtime|process\w{0,12})\b/;

/** Stack traces name exceptions, and places as `at java.lang.Thread.run(Thread.java:840)`: people send them when they ask for help. */
const findClass = (text: string): string | null => {
  for (const match of text.matchAll(className)) {
    const name = match[1] ?? "";
    const isTrace = text.slice(Math.max(0, match.index - 3), match.index + 1).endsWith("at ");
    if (!isTrace && !/(?<!badattributevalueexp)(?:exception|error)[.:$\w]{0,4}$/.test(name)) return name;
  }
  return null;
};
