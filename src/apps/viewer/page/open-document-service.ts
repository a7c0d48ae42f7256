import { connectDocumentService } from '../document/worker-rpc.ts'
import type { DocumentService } from '../document-service.ts'
import ServiceWorkerThread from './worker.ts?worker&inline'

/** Starts a worker with a document service, and connects to it. */
export const openDocumentService = (): DocumentService => connectDocumentService(new ServiceWorkerThread())
