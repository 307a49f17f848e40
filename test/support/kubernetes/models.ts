/** Imports a module of this folder's packages, which resolve only from here. */
export const importModels = <Models>(name: string): Promise<Models> => import(name);
