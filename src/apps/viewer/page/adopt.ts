/** Puts styles on the page. The policy of the page lets in no others. */
export function adopt(styles: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets.push(sheet)
}
