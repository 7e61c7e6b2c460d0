export async function loader(_a?: string, _b?: string) {}
export function InstanceFormPage() {
  return null
}
export function InstanceEditPage() {
  return null
}
