import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { writeExport } from '../../../../src/apps/viewer/index.ts'
import { root } from '../../../repository.ts'
import { browserOfFile, patienceMs } from './browser.ts'
import { readySheet } from './message-list.ts'
import { testFolder, testViewer } from './test-viewer.ts'

const { visit } = browserOfFile()

/** A server of another origin, which serves a page or nothing, and the requests that it gets. */
async function stranger(page = ''): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.setHeader('content-type', 'text/html').end(page)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked }
}

test.each(['served', 'exported', 'put on a static host'])(
  '[VB17] if hostile code got into the page that is %s, it could neither run nor tell anybody',
  async kind => {
    const folder = testFolder()
    const path = join(folder, 'chat.json')
    writeFileSync(path, JSON.stringify([{ role: 'user', content: 'hello' }]))
    const addresses: Record<string, () => Promise<string>> = {
      served: async () => (await testViewer([path])).url,
      async exported() {
        const file = join(folder, 'chat.html')
        await writeExport({ paths: [path], file })
        return pathToFileURL(file).href
      },
      'put on a static host': async () =>
        `${(await stranger(readFileSync(join(root, 'dist/page.html'), 'utf8'))).url}#source=examples&item=1`,
    }
    const failures: string[] = []
    const page = await visit(await addresses[kind](), { failures })
    await readySheet(page)
    expect(failures).toEqual([])
    const { url: away, asked } = await stranger()
    const broken = new Set<string>()
    await page.exposeFunction('tell', (directive: string) => broken.add(directive))
    await page.evaluate(async away => {
      const { tell } = window as unknown as { tell(directive: string): void }
      document.addEventListener('securitypolicyviolation', event => tell(event.effectiveDirective))
      const put = (name: string, fields: object): void => {
        document.body.append(Object.assign(document.createElement(name), fields))
      }
      put('script', { textContent: 'window.harmed = 1' })
      put('script', { src: `${away}script` })
      put('style', { textContent: 'body { display: none }' })
      put('img', { src: `${away}image`, alt: '' })
      put('iframe', { src: `${away}frame` })
      put('base', { href: away })
      const form = Object.assign(document.createElement('form'), { action: `${away}form`, method: 'post' })
      document.body.append(form)
      form.submit()
      navigator.sendBeacon(`${away}beacon`)
      await fetch(`${away}fetch`).catch(() => {})
    }, away)
    await expect
      .poll(() => [...broken].sort(), { timeout: patienceMs })
      .toEqual([
        ...['base-uri', 'connect-src', 'form-action', 'frame-src', 'img-src', 'script-src-elem', 'style-src-elem'],
      ])
    expect(asked).toEqual([])
    expect(await page.evaluate(() => 'harmed' in window)).toBe(false)
    expect(failures.length, 'such things do not go by unnoticed').toBeGreaterThan(0)
  },
)
