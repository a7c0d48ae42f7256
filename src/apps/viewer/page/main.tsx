import { render } from 'preact'
import { addStyles } from './add-styles.ts'
import { App } from './app.tsx'
import compareStyles from './compare/compare.css?inline'
import contentStyles from './content/content.css?inline'
import { findTransport } from './find-transport.ts'
import marginStyles from './margin/margin.css?inline'
import arcStyles from './messages/arcs.css?inline'
import messagesStyles from './messages/messages.css?inline'
import overviewStyles from './messages/overview.css?inline'
import { openDocumentService } from './open-document-service.ts'
import pageStyles from './page.css?inline'
import printStyles from './print.css?inline'
import providersStyles from './providers/providers.css?inline'
import searchStyles from './search/search.css?inline'
import dialogueStyles from './shell/dialogue.css?inline'
import startStyles from './shell/start.css?inline'
import { showVisibleText } from './show-visible-text.ts'
import smallScreenStyles from './small-screens.css?inline'
import tokens from './tokens.css?inline'

const sheets = [
  tokens,
  pageStyles,
  startStyles,
  dialogueStyles,
  smallScreenStyles,
  messagesStyles,
  arcStyles,
  overviewStyles,
  contentStyles,
  marginStyles,
  compareStyles,
  providersStyles,
  searchStyles,
]
for (const styles of [...sheets, printStyles]) addStyles(styles)

showVisibleText()
const place = document.getElementById('page')
if (place) render(<App service={openDocumentService()} transport={findTransport()} />, place)
