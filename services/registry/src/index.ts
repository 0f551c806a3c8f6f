export { startRegistry, type Registry, type RegistryOptions, type RegistryPorts } from "./service.ts";
