const fonts = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Inline styles, the only ones that every mail program reads: the light theme. */
export const styles = {
  page: `margin:0;padding:0;background-color:#f6f4f1;font-family:${fonts};-webkit-text-size-adjust:100%`,
  preview:
    "display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:#f6f4f1",
  outer: "background-color:#f6f4f1",
  margin: "padding:32px 16px",
  column: "max-width:560px;margin:0 auto",
  brand:
    "padding:0 4px 16px;font-size:16px;line-height:24px;font-weight:600;color:#007b70;letter-spacing:-0.01em",
  card: "padding:32px 32px 20px;background-color:#ffffff;border:1px solid #e4e0db;border-radius:10px",
  heading:
    "margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600;color:#1c1917;letter-spacing:-0.01em",
  paragraph: "margin:0 0 16px;font-size:16px;line-height:24px;color:#3a3632",
  quote:
    "margin:0 0 16px;padding:4px 0 4px 16px;border-left:3px solid #e4e0db;font-size:16px;line-height:24px;color:#3a3632;overflow-wrap:anywhere",
  buttonRow: "margin:24px 0",
  buttonCell: "border-radius:8px;background-color:#007b70",
  button:
    "display:inline-block;padding:12px 24px;font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:8px",
  note: "margin:0 0 12px;font-size:14px;line-height:20px;color:#6b645d",
  link: "color:#00695f;text-decoration:underline;word-break:break-all",
  footer: "padding:16px 4px 0;font-size:13px;line-height:20px;color:#6b645d",
} as const;

/** The dark theme and small screens, for the programs that read a style sheet. */
export const styleSheet = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.card{padding:24px 20px 12px!important}.button-row{width:100%!important}.button-text{display:block!important;text-align:center!important}}
@media (prefers-color-scheme:dark){
.page{background-color:#171614!important}
.card{background-color:#201e1c!important;border-color:#37332f!important}
.brand{color:#3dbbae!important}
.strong{color:#f5f3f0!important}
.body{color:#d9d4ce!important}
.soft{color:#a8a199!important}
.quote{border-color:#37332f!important}
.link{color:#3dbbae!important}
.button,.button-text{background-color:#3dbbae!important;color:#06201d!important}
}`;
