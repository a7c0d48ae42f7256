import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { interrupted, recording } from '../../../observe/tape/recording.ts'
import { root } from '../../../repository.ts'
import { browserOfFile, patienceMs } from './browser.ts'
import { readySheet, seen } from './message-list.ts'
import { testFolder } from './test-viewer.ts'

const { visit } = browserOfFile()

const broken = [
  { role: 'user', content: 'Refund order 1042.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'refund', arguments: '{"order":1042}' } }],
  },
  { role: 'user', content: 'Is it done?' },
]

/** The page on a host that serves files and nothing else, and all that was asked of it. */
async function staticHost(): Promise<{ page: Page; asked: string[] }> {
  const html = readFileSync(join(root, 'dist/page.html'))
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (request.url === '/viewer/page.html') response.setHeader('content-type', 'text/html').end(html)
    else response.writeHead(204).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const page = await visit(`http://127.0.0.1:${port}/viewer/page.html`)
  return { page, asked }
}

/** Drops a file on the page, as a person does. */
const drop = (page: Page, name: string, text: string): Promise<void> =>
  page.evaluate(
    ([name, text]) => {
      const data = new DataTransfer()
      data.items.add(new File([text], name))
      for (const kind of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }))
    },
    [name, text] as const,
  )

const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate(text => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }))
  }, text)

const title = (page: Page, name: string): Promise<void> => page.locator('main h1', { hasText: name }).waitFor()

test('[VB8] on a static host a dropped file is drawn in the browser, and sent nowhere', async () => {
  const { page, asked } = await staticHost()
  await page.getByRole('heading', { name: 'Every call gets its response.' }).waitFor()
  await drop(page, 'chat.json', JSON.stringify(broken))
  await title(page, 'chat.json')
  const { rows, arcs, diagnostics } = await seen(page)
  expect(rows).toHaveLength(3)
  expect(arcs).toEqual([expect.stringContaining('open 1')])
  expect(diagnostics[0]).toContain('unanswered-call')
  expect(asked.filter(line => !line.includes('favicon'))).toEqual(['GET /viewer/page.html'])
})

test('[VB8] chosen files are recognised by their content: lines, a request body, a tape', async () => {
  const { page } = await staticHost()
  const folder = testFolder()
  const { tape, text } = recording()
  interrupted(tape)
  const files = {
    'lines.txt': broken.map(message => JSON.stringify(message)).join('\n'),
    'request.json': JSON.stringify({ model: 'gpt-5', messages: broken }, null, 2),
    'agent.tape': text(),
  }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content)
    await page.locator('input[type=file]').setInputFiles(join(folder, name))
    await page.locator('.item[aria-current]', { hasText: name }).waitFor()
    if (name.endsWith('.tape')) continue
    await title(page, name)
    expect((await seen(page)).rows).toHaveLength(3)
  }
  await page.getByText('request 2 is the first that is malformed for anthropic').waitFor()
  expect(await page.locator('.tape-row').evaluateAll(rows => rows.map(row => row.dataset.key))).toEqual([
    ...['request 1', 'call 0', 'interrupt 3', 'input 4', 'request 2', 'request 3'],
  ])
  expect(await page.locator('.is-first-failure').getAttribute('data-key')).toBe('request 2')
  await page.getByRole('button', { name: 'request 2', exact: true }).click()
  expect((await seen(page)).diagnostics[0]).toContain('unanswered-call')
})

test('[VB8] JSON is pasted anywhere, or into a field', async () => {
  const { page } = await staticHost()
  await page.getByRole('button', { name: 'Paste JSON' }).click()
  await page.getByRole('textbox', { name: 'Paste JSON' }).fill(JSON.stringify(broken))
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await title(page, 'what was pasted')
  expect((await seen(page)).rows).toHaveLength(3)
  await paste(page, JSON.stringify(broken.slice(0, 2)))
  await expect.poll(async () => (await seen(page)).rows.length, { timeout: patienceMs }).toBe(2)
})

test('[VB8] unreadable input is one line, and the open document stays', async () => {
  const { page } = await staticHost()
  await drop(page, 'chat.json', JSON.stringify(broken))
  await readySheet(page)
  await drop(page, 'notes.json', '[{"role": "user",]')
  await page.getByRole('alert').getByText('notes.json, line 1, column 18').waitFor()
  await paste(page, 'hello')
  await page.getByRole('alert').getByText('what was pasted, line 1, column 1').waitFor()
  await drop(page, 'chat.db', 'SQLite format 3\0')
  await page.getByRole('alert').getByText('chat.db is a database: open it with antiphon view').waitFor()
  expect((await seen(page)).rows).toHaveLength(3)
})

test('[VB19] of several files the readable ones are opened, and the errors of the others are shown', async () => {
  const { page } = await staticHost()
  const file = (name: string, text: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  await page
    .locator('input[type=file]')
    .setInputFiles([file('torn.json', '[{'), file('chat.json', JSON.stringify(broken)), file('number.json', '42')])
  await title(page, 'chat.json')
  const said = page.getByRole('alert')
  await said.getByText('torn.json, line 1').waitFor()
  await said.getByText('number.json is a number').waitFor()
  await page.reload()
  await said.getByText('open the file again').waitFor()
})
