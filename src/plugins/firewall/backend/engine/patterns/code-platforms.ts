import type { Pattern } from "../engine-types.ts";
import { matching } from "../matching.ts";

const base = { category: "code-injection", paranoia: 1, severity: "critical", view: "plain" } as const;

/** Code for .NET, Groovy, Scala, the languages of Erlang's machine, JavaScript beside Node.js, and drivers that run code. */
export const platformPatterns: readonly Pattern[] = [
  {
    ...base,
    id: 4070,
    title: "Code for .NET or a script of Windows",
    find: matching(
      /\b(?:server\.)?createobject\s{0,4}\(\s{0,4}["']|\bprocess\.start\s{0,4}\(|\bactivator\.createinstance\b|\bwscript\.(?:shell|network)\b|\bshell\s{0,4}\(\s{0,4}["'][\w.:\\]{2,40}\.exe|\bresponse\.write\s{0,4}\(|^\s{0,4}@(?:using|inherits)\s{1,4}\w{1,24}\.\w|\bexec\.command\s{0,4}\(|\bprocess::command\b|\bgetobject\s{0,4}\(\s{0,4}["']+\w{2,12}:|\bexecute(?:global)?\s{0,4}\(\s{0,4}request\b|\bsystem\.(?:diagnostics\.process|io\.(?:file|directory|stream)|net\.(?:webclient|sockets)|reflection\.assembly|activator|environment|codedom|runtime\.\w|management\.automation|windows\.data|web\.ui|configuration\.install)|@\(?(?:system|html|request|viewbag|model|url|server)\.\w{1,40}(?:\.\w{1,40}){0,4}\s{0,4}\(/,
    ),
  },
  {
    ...base,
    id: 4071,
    title: "Code for Groovy or Scala",
    needs: [".execute", "eval.", "@grab", "groovyshell", "sys.process", "code.eval", '".!'],
    find: matching(
      /["'\])]\s{0,4}\.execute\s{0,4}\(\s{0,4}\)|\beval\.(?:me|xy?|xyz)\s{0,4}\(|@grab(?:config|resolver)?\s{0,4}\(|\bgroovyshell\b|\bcode\.eval_(?:string|file|quoted)\b|\bscala\.sys\.process\b|["']\s{0,4}\.!{1,2}(?:\s|$|;)/,
    ),
  },
  {
    ...base,
    id: 4072,
    title: "Code for Erlang, Elixir, Lua, Deno or Bun",
    needs: ["cmd(", "shell(", "halt(", "os.execute", "io.popen", "deno.", "bun.", "load", "redis."],
    find: matching(
      /(?:^|[^\w.]):?os[.:]cmd\s{0,4}\(|\bsystem\.(?:cmd|halt|shell)\s{0,4}\(|\b(?:erlang|init|:init|elixir)[.:](?:halt|stop)\s{0,4}\(|\bos\.execute\s{0,4}\(|\bio\.popen\s{0,4}\(|\b(?:deno|bun)\.(?:run|command|spawn\w{0,4}|readtextfile\w{0,4}|readfile\w{0,4}|env|file|write|\$)\b|\bloadstring\s{0,4}\(|\bredis\.p?call\s{0,4}\(/,
    ),
  },
  {
    ...base,
    id: 4073,
    title: "Address of a database that makes its driver run code",
    needs: ["jdbc:"],
    find: (text) => {
      const at = text.indexOf("jdbc:");
      return driverOption.exec(text.slice(at, at + 2000))?.[0] ?? null;
    },
  },
  {
    ...base,
    id: 4077,
    title: "Command of LaTeX that reads or runs",
    find: matching(
      /\\(?:immediate\b|write18\b|openin\b|openout\b|newread\b|newwrite\b|lstinputlisting\b|verbatiminput\b|catcode\s{0,4}`|(?:input|include|usepackage)\s{0,4}\{\s{0,4}["|/.~])/,
    ),
  },
  {
    ...base,
    id: 4074,
    title: "Statement of Ruby or Perl that starts a program",
    needs: ["system", "exec", "use ", "require", "send", "open"],
    find: matching(
      /(?:^|[;{}\n"'`])\s{0,8}(?:system|exec|spawn)\s{1,4}(["'])[^"'\n]{1,80}\1\s{0,4}(?:$|[;#}])|(?:^|[;{}"'])\s{0,8}use\s{1,4}(?:io::|posix|socket|lwp|net::|file::|ipc::|mime::base64)[\w:]{0,24}(?:\s{1,4}qw\S{1,40})?\s{0,4};|\brequire\s{1,4}["'](?:open3|socket|net\/\w{2,8}|open-uri|pty|fileutils|erb|yaml|drb|base64)["']|\.(?:public_)?send\s{0,4}\(\s{0,4}:\w|\bopen\s{0,4}\(\s{0,4}(?:\w{1,16}\s{0,4},\s{0,4})?["']\s{0,4}\|/,
    ),
  },
  {
    ...base,
    id: 4075,
    title: "Function of a system that is handed over by its name",
    needs: ["system", "exec", "passthru", "popen", "assert", "phpinfo", "eval", "print(", "die(", "md5("],
    find: matching(
      /[,(]\s{0,4}["'](?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|assert|phpinfo|eval)["']\s{0,4}[,)]|\(\s{0,4}["']?(?:system|exec|shell_exec|passthru|popen|assert|phpinfo)["']?\s{0,4}\)\s{0,4}\(|["']\s{0,4}\.\s{0,4}@?(?:system|exec|shell_exec|passthru|popen|eval|assert|print|die|md5)\s{0,4}\(/,
    ),
  },
  {
    ...base,
    id: 4076,
    title: "Call of Python that shows that code runs",
    needs: ["time.", "globals", "locals", "vars", "getattr", "import", "commands.", "platform.", "sys."],
    find: matching(
      /\btime\.sleep\s{0,4}\(\s{0,4}\d|\b(?:globals|locals|vars)\s{0,4}\(\s{0,4}\)\s{0,4}[.[]|\bfrom\s{1,4}(?:os|subprocess|sys|pty|socket|shutil|importlib)\s{1,4}import\s{1,4}\w|\bcommands\.get(?:status)?output\s{0,4}\(|\bplatform\.(?:uname|node|system|platform)\s{0,4}\(|\bsys\.(?:exit|modules|_getframe)\s{0,4}[([]|\bgetattr\s{0,4}\([^()\n]{1,64}(?:\([^()\n]{0,40}\))?[^()\n]{0,16},\s{0,4}["'](?:__|system|popen|eval)/,
    ),
  },
];

/** What makes a driver fetch or run something when it connects. */
const driverOption =
  /(?:\binit\s{0,4}=|runscript|autodeserialize|queryinterceptors|statementinterceptors|socketfactory|sslfactory|loggerfile|allowloadlocalinfile|allowurlinlocalinfile|clientrerouteserverlistjndiname|trace_level_system_out)/;
