import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a healthy session of Codex of about this many bytes: turns of a question, two calls, their outputs and an answer. */
export function writeSession(path: string, bytesWanted: number, broken = false): number {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'w')
  let bytes = 0
  let block: string[] = []
  const flush = (): void => {
    bytes += writeSync(file, block.join(''))
    block = []
  }
  const add = (type: string, payload: object): void => {
    block.push(`${JSON.stringify({ timestamp: '2026-05-14T10:22:00.000Z', type, payload })}\n`)
  }
  add('session_meta', { id: 'bench', timestamp: '2026-05-14T10:22:00.000Z', cwd: '/', history_mode: 'legacy' })
  for (let turn = 0; bytes < bytesWanted; turn++) {
    add('response_item', message('user', 'input_text', `question ${turn}`))
    for (const name of ['a', 'b']) add('response_item', call(`call_${turn}${name}`))
    for (const name of ['a', 'b'])
      if (!broken || turn % 1000 !== 999) add('response_item', output(`call_${turn}${name}`, turn))
    add('response_item', message('assistant', 'output_text', `answer ${turn}`))
    if (block.length > 2_000 || bytesWanted < 1024 * 1024) flush()
  }
  flush()
  closeSync(file)
  return bytes
}

const message = (role: string, type: string, text: string): object => ({
  type: 'message',
  role,
  content: [{ type, text }],
})

const call = (id: string): object => ({ type: 'function_call', name: 'exec', arguments: '{"cmd":"ls"}', call_id: id })

const output = (id: string, turn: number): object => ({
  type: 'function_call_output',
  call_id: id,
  output: `line of output ${turn} with "quotes"\n`.repeat(60),
})
