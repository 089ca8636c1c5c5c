import { homeTexts } from "#ui/features/site/texts.ts";

type SocialCard = {
  /** The sign as SVG. */
  sign: string;
  /** The product's font, woff2 in base64. */
  font: string;
};

/** The picture beside a shared link, 1200 by 630: sign, name, the landing page's words, and a corner of the admin area. */
export const socialCardMarkup = ({ sign, font }: SocialCard): string => `<!doctype html>
<style>
  @font-face { font-family: Inter; font-weight: 400 700; src: url(data:font/woff2;base64,${font}) format("woff2") }
  * { margin: 0; box-sizing: border-box }
  body { width: 1200px; height: 630px; overflow: hidden; position: relative; background: #fcfbf9; color: #1f1b17;
         font-family: Inter; -webkit-font-smoothing: antialiased }
  .words { padding: 76px 0 0 84px; width: 1000px }
  .brand { display: flex; align-items: center; gap: 16px; font-weight: 600; font-size: 32px; letter-spacing: -0.02em }
  .brand svg { width: 48px; height: 48px }
  h1 { margin-top: 44px; font-weight: 650; font-size: 84px; line-height: 1.02; letter-spacing: -0.035em; text-wrap: balance; width: 800px }
  .panel { position: absolute; left: 84px; top: 418px; width: 1032px; height: 300px; border: 1px solid #e1ddd9; border-radius: 16px;
           background: #fff; box-shadow: 0 -10px 60px -20px #1f1b1733; display: grid; grid-template-columns: 200px 1fr }
  .side { background: #f7f5f3; border-right: 1px solid #e1ddd9; border-radius: 16px 0 0; padding: 28px 20px; display: grid; gap: 12px; align-content: start }
  .side p { height: 40px; border-radius: 8px; padding: 0 14px; display: flex; align-items: center; font-size: 20px; color: #69625b }
  .side p:first-child { background: #ebe7e2; color: #1f1b17; font-weight: 600 }
  .tiles { padding: 28px; display: grid; grid-template-columns: repeat(3, 1fr); gap: 20px; align-content: start }
  .tiles div { border: 1px solid #e1ddd9; border-radius: 12px; padding: 20px 22px; height: 150px }
  .tiles span { font-size: 20px; color: #69625b }
  .tiles b { display: block; margin-top: 10px; font-size: 36px; font-weight: 600; letter-spacing: -0.02em }
  .tiles i { display: inline-block; width: 12px; height: 12px; border-radius: 50%; background: #0f766e; margin-right: 12px }
</style>
<div class="words">
  <p class="brand">${sign}Atrium</p>
  <h1>${homeTexts.title}</h1>
</div>
<div class="panel">
  <div class="side"><p>Overview</p><p>Users</p></div>
  <div class="tiles">
    <div><span><i></i>Database</span><b>0.4 ms</b></div>
    <div><span><i></i>Mail</span><b>0 waiting</b></div>
    <div><span><i></i>Uptime</span><b>12d 4h</b></div>
  </div>
</div>`;
