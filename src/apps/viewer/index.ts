export { startViewer, type Viewer, type ViewerOptions } from './start-viewer.ts'
export { type Exported, type ExportOptions, writeExport } from './write-export.ts'
