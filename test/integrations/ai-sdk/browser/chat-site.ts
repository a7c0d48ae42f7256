import { readFileSync } from 'node:fs'
import { chatHandler } from '../../../../src/integrations/ai-sdk/index.ts'
import { openJournal } from '../../../../src/journal/index.ts'
import { client7 } from '../client-7.ts'
import { startSite } from '../site.ts'

// One of several servers of a chat, with its page.
const [file, provider = '', app = ''] = process.argv.slice(2)
process.once('disconnect', () => process.exit(1))

const journal = await openJournal(`sqlite:${file}`, { live: true })
const handler = chatHandler(journal, { model: client7.models.openai(provider), thread: { leaseMs: 60_000 } })
const page = `<!doctype html><link rel="icon" href="data:,"><body></body><script src="/app.js"></script>`
const script = readFileSync(app, 'utf8')
const site = await startSite(async request => {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/api/')) return handler(request)
  if (pathname === '/app.js') return new Response(script, { headers: { 'content-type': 'text/javascript' } })
  return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
})
process.send?.({ url: site.url })
