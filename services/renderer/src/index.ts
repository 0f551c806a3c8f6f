export { linkedHash, type LinkedPart } from "./render/linked-hash.ts";
export {
  createRenderer,
  SERVICE_NAME,
  type Renderer,
  type RendererOptions,
  type RendererStats,
} from "./service.ts";
