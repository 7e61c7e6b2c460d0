export async function loader(_p: object) {}
export function ItemNewPage() {
  return null
}
export function ItemEditPage() {
  return null
}
