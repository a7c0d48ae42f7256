import { render } from 'preact'
import { adopt } from './adopt.ts'
import { App } from './app.tsx'
import compareStyles from './compare/compare.css?inline'
import contentStyles from './content/content.css?inline'
import { findTransport } from './find-transport.ts'
import marginStyles from './margin/margin.css?inline'
import { openDesk } from './open-desk.ts'
import pageStyles from './page.css?inline'
import printStyles from './print.css?inline'
import readersStyles from './readers/readers.css?inline'
import scoreStyles from './score/score.css?inline'
import searchStyles from './search/search.css?inline'
import tokens from './tokens.css?inline'

const sheets = [
  tokens,
  pageStyles,
  scoreStyles,
  contentStyles,
  marginStyles,
  compareStyles,
  readersStyles,
  searchStyles,
]
for (const styles of [...sheets, printStyles]) adopt(styles)

const place = document.getElementById('page')
if (place) render(<App desk={openDesk()} transport={findTransport()} />, place)
