/** Whether a page belongs to the admin area, which visitors never see. */
export const isAdminPage = (page: string): boolean => page === "/admin" || page.startsWith("/admin/");
