// Documents of an invoice over the wire: contents are base 64 in JSON.

import { changed } from '#/acquisitions/queries'
import type { Stored } from '#/acquisitions/types'
import { get, post } from '#/api/client'

export interface InvoiceDocument extends Stored {
  name: string
  /** A link; files have none. */
  url?: string
}

export const documentsPath = (invoiceId: string) => `/invoice/invoices/${invoiceId}/documents`

export const documentsQuery = (invoiceId: string) => ({
  queryKey: ['acq', 'documents', invoiceId],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const query = { limit: 1000 }
    const answer = await get<{ documents: InvoiceDocument[] }>(
      documentsPath(invoiceId),
      query,
      signal,
    )
    return answer.documents
  },
})

/** The server takes 32 MB of JSON; base 64 makes four bytes of three. */
export const FILE_BYTES_MAX = 23_000_000

export async function addLink(invoiceId: string, name: string, url: string) {
  await post(documentsPath(invoiceId), { documentMetadata: { invoiceId, name, url } })
  await changed()
}

export async function addFile(invoiceId: string, file: File) {
  await post(documentsPath(invoiceId), {
    documentMetadata: { invoiceId, name: file.name },
    contents: { data: toBase64(new Uint8Array(await file.arrayBuffer())) },
  })
  await changed()
}

export async function saveFile(invoiceId: string, { id, name }: InvoiceDocument) {
  const { contents } = await get<{ contents?: { data: string } }>(
    `${documentsPath(invoiceId)}/${id}`,
  )
  const blob = new Blob([fromBase64(contents?.data ?? '')], { type: 'application/octet-stream' })
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

const CHUNK = 0x8000

/** In pieces: a large file as the arguments of one call is more than engines take. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}

export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
