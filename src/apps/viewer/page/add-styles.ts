/** Adds styles to the page. Its content security policy allows only styles that are added by its script. */
export function addStyles(styles: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets.push(sheet)
}
