import { render } from 'preact'
import { addStyles } from './add-styles.ts'
import { App } from './app.tsx'
import compareStyles from './compare/compare.css?inline'
import contentStyles from './content/content.css?inline'
import { findTransport } from './find-transport.ts'
import marginStyles from './margin/margin.css?inline'
import messagesStyles from './messages/messages.css?inline'
import { openDocumentService } from './open-document-service.ts'
import pageStyles from './page.css?inline'
import printStyles from './print.css?inline'
import providersStyles from './providers/providers.css?inline'
import searchStyles from './search/search.css?inline'
import { showVisibleText } from './show-visible-text.ts'
import tokens from './tokens.css?inline'

const sheets = [
  tokens,
  pageStyles,
  messagesStyles,
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
