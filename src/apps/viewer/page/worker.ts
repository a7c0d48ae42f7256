import { createDocumentService } from '../document/create-document-service.ts'
import { serveDocuments } from '../document/worker-rpc.ts'

serveDocuments(createDocumentService(), self)
