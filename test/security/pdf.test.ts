import { expect, test, vi } from 'vitest'
import { readPdf } from '../../src/core/media/pdf.ts'

const counts = (from: number, number: number): string =>
  Array.from({ length: number }, (_, index) => `/Count ${from + index} `).join('')

test.each([
  ['in one object', `1 0 obj ${counts(1, 5_000)} endobj`],
  ['in an object that does not end', `/Kids ${counts(1, 5_000)}`],
  [
    'each in an object of its own',
    `1 0 obj /Title ${counts(1, 5_000).replaceAll('/Count', 'endobj 1 0 obj /Count')} endobj`,
  ],
  ['each before an end', counts(1, 5_000).replaceAll(' /Count', ' endobj /Count')],
])('[SE145] a PDF with thousands of counts, %s, is searched once', (_, text) => {
  const bytes = Buffer.from(`%PDF-1.7\n${text}`, 'latin1')
  const searched = vi.spyOn(String.prototype, 'lastIndexOf')
  try {
    expect(readPdf(bytes)).toBeDefined()
    const characters = searched.mock.contexts.reduce<number>((sum, context) => sum + String(context).length, 0)
    expect(characters).toBeLessThan(2 * bytes.length)
  } finally {
    searched.mockRestore()
  }
})

test('[SE145] the pages of a PDF are counted after any number of bookmarks', () => {
  const bookmarks = Array.from({ length: 1_000 }, (_, index) => `1 0 obj /Title (a) /Count ${index} endobj\n`).join('')
  const bytes = Buffer.from(`%PDF-1.7\n${bookmarks}2 0 obj /Type /Pages /Count 2000 endobj`, 'latin1')
  expect(readPdf(bytes)?.pages).toBe(2_000)
})
