import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

/**
 * A process in which no optional peer is installed, and whose Node has no SQLite, as far as imports can tell. Tells what each subpath exports, and what
 * the errors of those are that need a package.
 */
const { peers, subpaths } = JSON.parse(process.argv[2]) as { peers: string[]; subpaths: string[] }

registerHooks({
  resolve(specifier, context, next) {
    const peer = peers.find(name => specifier === name || specifier.startsWith(`${name}/`))
    if (specifier === 'node:sqlite')
      throw Object.assign(new Error('No such built-in module: node:sqlite'), { code: 'ERR_UNKNOWN_BUILTIN_MODULE' })
    // A dependency may bring along for itself what is a peer to us.
    if (peer === undefined || context.parentURL?.includes('/node_modules/')) return next(specifier, context)
    const message = `Cannot find package '${peer}' imported from ${context.parentURL}`
    throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })
  },
})

const load = (file: string) => import(pathToFileURL(file).href)

const names: Record<string, number> = {}
for (const file of subpaths) names[file] = Object.keys(await load(file)).length

const { openJournal } = await load('src/journal/index.ts')
const { openCheckpointer } = await load('src/integrations/langchain/index.ts')
const { agUiHandler } = await load('src/integrations/ag-ui/index.ts')
const journal = await openJournal('memory:')
const errors = await Promise.all([
  errorOf(openJournal('sqlite:chat.db')),
  errorOf(openJournal('postgres://127.0.0.1/x')),
  errorOf(openJournal('memory:', { live: 'redis://127.0.0.1' })),
  errorOf(openCheckpointer('memory:')),
  errorOf(askForBytes()),
])
await journal.close()
process.send?.({ names, errors })
process.disconnect?.()

/** Text needs no package; bytes are encoded by one. */
function askForBytes(): Promise<unknown> {
  return new Promise((_, reject) => {
    const handler = agUiHandler(journal, { model: () => {}, onError: reject })
    const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [] })
    const headers = { accept: 'application/vnd.ag-ui.event+proto' }
    void handler(new Request('http://localhost', { method: 'POST', body, headers }))
  })
}

function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'it does without',
    ({ code, message, hint }) => ({ code, message, hint }),
  )
}
