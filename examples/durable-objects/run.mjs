/**
 * Runs the Worker in its real runtime on this machine, with a strict provider instead of the real one: a double click, an approval, and a runtime
 * that is stopped while a call waits.
 *
 *   npx node examples/durable-objects/run.mjs
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStrict } from 'antiphon/strict'
import { Miniflare } from 'miniflare'
import { rolldown } from 'rolldown'

const provider = await startStrict({
  script({ turnCalls, turnResults }) {
    if (!turnCalls.includes('find_order')) return { text: 'Let me look.', calls: [{ name: 'find_order' }] }
    if (!turnCalls.includes('refund')) return { calls: [{ name: 'refund' }] }
    return `I heard: ${turnResults.at(-1)?.text}`
  },
})
const folder = mkdtempSync(join(tmpdir(), 'antiphon-example-'))
const script = await bundle()

let [runtime, url] = await start()
const click = () => post('input', { content: 'Refund order 1042, please.', key: 'click-1' })
const [first, second] = await Promise.all([click(), click()])
console.log(`two clicks, one input: ${first.seq === second.seq}`)

const seen = await watch(0, ({ kind }) => kind === 'turn-park')
const [call] = (await get('status')).open
console.log(`${call.name} waits for approval; the runtime stops, and starts again`)
await runtime.dispose()
;[runtime, url] = await start()

const { status } = await post('approve', { call: call.id })
console.log(`${call.name} was ${status}`)
await watch(seen, ({ kind }) => kind === 'turn-end')
for (const message of await get('messages')) console.log(JSON.stringify(message))

await runtime.dispose()
await provider.close()
rmSync(folder, { recursive: true })

/** The Worker and all that it imports, as one module. */
async function bundle() {
  const built = await rolldown({
    input: join(import.meta.dirname, 'worker.ts'),
    platform: 'browser',
    resolve: { conditionNames: ['workerd', 'worker', 'import', 'default'] },
  })
  const { output } = await built.generate({ format: 'esm', codeSplitting: false })
  await built.close()
  return output[0].code
}

/** The runtime, with the objects of this folder. */
async function start() {
  const started = new Miniflare({
    ...{ modules: true, script, compatibilityDate: '2026-04-01' },
    durableObjects: { THREADS: { className: 'Thread', useSQLite: true } },
    durableObjectsPersist: folder,
    bindings: { PROVIDER: provider.url, API_KEY: 'none' },
  })
  return [started, `${(await started.ready).origin}/threads/order-1042`]
}

async function get(what) {
  return (await fetch(`${url}/${what}`)).json()
}

async function post(what, body) {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${url}/${what}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

/** Prints what comes after an entry, until one that is the last. Returns its number. */
async function watch(after, isLast) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/live?after=${after}`)
  const last = Promise.withResolvers()
  socket.addEventListener('message', ({ data }) => {
    const item = JSON.parse(data)
    console.log(`  ${item.kind}`)
    if (isLast(item)) last.resolve(item.seq)
  })
  const seq = await last.promise
  const closed = once(socket, 'close')
  socket.close()
  await closed
  return seq
}
