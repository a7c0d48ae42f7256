import { expect, test } from 'vitest'
import { readPdf } from '../../src/core/media/pdf.ts'

const pdf = (...objects: string[]): Uint8Array =>
  Buffer.from(
    `%PDF-1.7\n${objects.map((text, index) => `${index + 1} 0 obj\n${text}\nendobj\n`).join('')}%%EOF`,
    'latin1',
  )

test('[LM11] pages of a PDF are counted by its page tree, and bookmarks are not pages', () => {
  const tree = '<< /Kids [3 0 R 4 0 R] /Count 2 /Type /Pages >>'
  const page = '<< /Type /Page /Parent 1 0 R >>'
  const outlines = '<< /Type /Outlines /First 9 0 R /Last 300 0 R /Count 300 >>'
  const bookmark = '<< /Title (One) /Parent 2 0 R /Kids 1 /Count 250 >>'
  expect(readPdf(pdf(tree, page, page))?.pages).toBe(2)
  expect(readPdf(pdf(tree, page, page, outlines, bookmark))?.pages).toBe(2)
  expect(readPdf(pdf(outlines, tree))?.pages).toBe(2)
  expect(readPdf(pdf('<< /Type /Pages /Count 120 /Kids [] >>'))?.pages).toBe(120)
  expect(readPdf(pdf(page, page, page))?.pages).toBe(3)
})
